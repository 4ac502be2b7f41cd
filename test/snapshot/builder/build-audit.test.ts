/** What was read, what was written and what is published are the same, to the cent, or nothing is published. */
import { appendFileSync } from 'node:fs';
import * as promises from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditReport } from '../../../src/snapshot/audit/report.ts';
import type { SqlScript } from '../../../src/sql-scripts.ts';
import type { SpoolFileSystem } from '../../../src/snapshot/spool/spool.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { readChecks } from '../audit/audited-files.ts';
import { AT, type BuildHarness, listener, openBuildHarness } from './real-build.ts';

const VIEW = fileURLToPath(new URL('../../../schema/views/approved_value_amounts.sql', import.meta.url));

let harness: BuildHarness;
let owner: Client;
let checks: readonly SqlScript[];
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), readChecks()]);
  owner = await harness.database.client('cf_owner');
});
afterAll(() => harness.close());

function flipping(handle: FileHandle): FileHandle {
  return new Proxy(handle, {
    get(target, property) {
      if (property !== 'writeFile') {
        const member: unknown = Reflect.get(target, property);
        return typeof member === 'function' ? member.bind(target) : member;
      }
      return async (bytes: Uint8Array): Promise<void> => {
        const flipped = Uint8Array.from(bytes);
        const middle = flipped.length >> 1;
        flipped[middle] = (flipped[middle] ?? 0) ^ 1;
        await target.writeFile(flipped);
      };
    },
  });
}

/** A disk that flips one bit of the first piece of that file. */
function flippingFiles(file: string): SpoolFileSystem {
  return {
    ...promises,
    async open(path, ...rest) {
      const handle = await promises.open(path, ...rest);
      return basename(String(path)) === file && rest.length > 0 ? flipping(handle) : handle;
    },
  };
}

async function keptReport(): Promise<AuditReport> {
  const text = await promises.readFile(join(harness.spool, 'refused', 'audit.json'), 'utf8');
  return JSON.parse(text) as AuditReport; // written by the audit as this very type
}

it('a build refuses totals that differ by one cent from their rows, says so, and keeps everything for inspection', async () => {
  const text = await promises.readFile(VIEW, 'utf8');
  const replacement = text.replace('create view', 'create or replace view');
  // V2019, 50,000 cents in August 2026, counts as one cent more: cash value is 2,713,382 by hand.
  const wrong = replacement.replace(
    'coalesce(v.usd_amount_cents',
    '(v.id = 2019)::integer + coalesce(v.usd_amount_cents',
  );
  expect(wrong).not.toBe(replacement);
  await owner.query(wrong);
  const { events, onEvent } = listener();
  const refusal = await outcomeOf(harness.build({ checks, onEvent }));
  await owner.query(replacement);

  expect(refusal).toMatchObject({
    code: 'audit_refused',
    exitCode: 3,
    message:
      'reported_totals all: cash_value_cents is 2713383 cents, expected 2713382 cents: the rows add up to it; nothing was published.',
  });
  expect(await harness.served()).toBeNull();
  expect(events.at(-1)).toEqual({ kind: 'audit.refused', kept: join(harness.spool, 'refused') });
  const report = await keptReport();
  expect(report.passed).toBe(false);
  expect(report.windows).toContainEqual(
    expect.objectContaining({ place: 'all', found: expect.stringContaining('2713383') }),
  );
  const kept = await promises.readdir(join(harness.spool, 'refused'));
  expect(kept).toEqual(expect.arrayContaining(['audit.json', 'audit.sql', 'control.json', 'costs.parquet']));
});

it('a build refuses a file of which the disk gives back another bit than was written', async () => {
  const refusal = await outcomeOf(harness.build({ checks, fs: flippingFiles('costs.parquet') }));
  expect(refusal).toMatchObject({
    code: 'audit_refused',
    data: { check: '00-bytes', table: 'costs.parquet' },
  });
  expect(await harness.served()).toBeNull();
  expect((await keptReport()).checks.map(({ name }) => name)).toEqual(['00-bytes']);
});

it('a build does not publish a file that was changed after its audit', async () => {
  const nonce = 'ab'.repeat(16);
  const onEvent = (event: { readonly kind: string }): void => {
    if (event.kind === 'audit.passed') appendFileSync(join(harness.spool, nonce, 'costs.parquet'), 'more');
  };
  expect(await outcomeOf(harness.build({ checks, nonce, onEvent }))).toMatchObject({
    code: 'store_checksum_mismatch',
  });
  expect(await harness.served()).toBeNull();
});

it('a build publishes once nothing disagrees, and clears away the files of a refusal', async () => {
  expect((await harness.build({ checks, at: AT })).outcome).toBe('published');
  expect(await promises.readdir(harness.spool)).toEqual([]);
});
