/**
 * A snapshot that version 0.2 built, before the bytes of files changed: `test/fixtures/snapshot-of-0.2.json.gz` holds the objects of
 * its store, of an account that `tools/seed` drew, each as base64 by its key.
 */
import * as fs from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedBy } from '../../../src/snapshot/keep/verify-signatures.ts';
import { verifySnapshot } from '../../../src/snapshot/keep/verify.ts';
import type { LogEntry } from '../../../src/snapshot/format/publish-log.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import type { Store } from '../../../src/store/store.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { footerOf, readHyparquet } from '../../parquet/read-back.ts';
import { quickFolder } from '../../support/quick-folder.ts';
import { signingWith } from '../../support/signing.ts';

const KEPT = new URL('../../fixtures/snapshot-of-0.2.json.gz', import.meta.url);
const ACCOUNT = 1n;

let root: string;
let store: Store;
let entry: LogEntry;
beforeAll(async () => {
  root = await fs.mkdtemp(join(quickFolder(), 'crossfoot-older-'));
  const objects = JSON.parse(gunzipSync(await fs.readFile(KEPT)).toString()) as Record<string, string>; // as kept
  for (const [key, bytes] of Object.entries(objects)) {
    await fs.mkdir(join(root, dirname(key)), { recursive: true });
    await fs.writeFile(join(root, key), Buffer.from(bytes, 'base64'));
  }
  const opened = await openFolderStore({ fs, root, randomUuid: randomUUID });
  store = { ...opened, signing: signingWith() };
  const [only] = (await readLog(store, ACCOUNT)).entries;
  if (only === undefined) throw new Error('the kept store has no log');
  entry = only;
});
afterAll(() => fs.rm(root, { recursive: true }));

it('a snapshot of 0.2 is verified: its bytes, its signatures, and its audit again', async () => {
  const report = await verifySnapshot({
    fs,
    directory: join(root, entry.prefix),
    expected: { ...entry, account_id: ACCOUNT },
    signed_by: signedBy(entry, signingWith().keys),
    tempDirectory: join(root, 'audit'),
    memory_mb: 160,
    signal: new AbortController().signal,
  });
  expect(report.checks.filter(({ passed }) => !passed)).toEqual([]);
  expect(report).toMatchObject({ passed: true, layout: 'store', unchecked: [] });
  expect(report.checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['manifest', 'signatures']));
});

it('a snapshot of 0.2 is read: each table, and a cost in total that its own totals name', async () => {
  const reader = createReader({ store, now: () => BigInt(Date.now()) * 1000n, onFault: fail });
  const snapshot = await reader.latest(ACCOUNT);
  expect(snapshot?.tables.map(({ name }) => name)).toEqual(TABLES.map(({ name }) => name));
  for (const { name, row_count } of snapshot?.tables ?? [])
    expect(await rowsOf(name)).toHaveLength(row_count);
  const costs = await rowsOf('costs');
  const [all] = (await rowsOf('reported_totals')).filter(
    ({ scope, window_key }) => scope === 'portfolio' && window_key === 'all',
  );
  expect(costs.reduce((sum, row) => sum + ((row['usd_amount_cents'] as bigint | null) ?? 0n), 0n)).toBe(
    all?.['cost_cents'],
  );
});

it('a file of 0.2 has differences in columns that are written without them today', async () => {
  const bytes = await fs.readFile(join(root, entry.prefix, 'reported_value.parquet'));
  const source = footerOf(bytes).row_groups[0]?.columns.find(
    ({ meta_data }) => meta_data?.path_in_schema[0] === 'source_ref',
  );
  expect(source?.meta_data?.encodings).toContain('DELTA_BYTE_ARRAY');
  const declared = TABLES.find(({ name }) => name === 'reported_value')?.columns;
  expect(declared?.find(({ name }) => name === 'source_ref')?.encoding).not.toBe('delta');
});

async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
  return readHyparquet(await fs.readFile(join(root, entry.prefix, `${table}.parquet`)));
}

function fail(fault: Error): never {
  throw fault;
}
