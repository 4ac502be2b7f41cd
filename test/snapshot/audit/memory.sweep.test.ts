import { afterAll, beforeAll, expect, it } from 'vitest';
import { company } from './audited-company.ts';
import { controlFile, controlOf, type ControlTotals } from './audited-control.ts';
import { AuditBench, refusals } from './audited-files.ts';

const MEMORY_MB = 96;
/** The longest value of JSON that the engine reads in one piece. */
const ONE_PIECE_BYTES = 16 * 1024 * 1024;

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** As a company of so many people would state it. */
function controlOfMany(people: number): ControlTotals {
  const control = controlOf(company());
  const many = Array.from({ length: people }, (_, at) => ({
    id: String(9_000 + at),
    name_digest: '0'.repeat(32),
  }));
  return { ...control, users: [...(control['users'] ?? []), ...many] };
}

it('the audit takes an account whose control totals are too large for one piece of JSON', async () => {
  const large = controlOfMany(200_000);
  expect((await controlFile(large)).length).toBeGreaterThan(ONE_PIECE_BYTES);
  const report = await bench.audit(company(), { control: large, job: { memory_mb: MEMORY_MB } });
  expect(refusals(report)).toEqual([]);
});

it('the audit repeats a check with more memory, and refuses it if eight times as much is too little', async () => {
  const control = controlOfMany(100_000);
  const within = (memory_mb: number) => bench.audit(company(), { control, job: { memory_mb } });
  expect(refusals(await within(24))).toEqual([]);
  const tight = await within(3);
  // Which script is the first that does not fit is the engine's matter.
  expect(refusals(tight)).toHaveLength(1);
  expect(tight.checks.at(-1)?.offences[0]?.found).toMatch(/^Out of Memory Error/);
});

it.each([
  // What the engine says when it finds no space for what does not fit into memory, and when a write fails.
  "failed to offload data block. This limit was set by the ''max_temp_directory_size'' setting.",
  'Could not write file: No space left on device',
])('the audit fails for a full disk and refuses no figures: %s', async (words) => {
  const check = { name: '90-check-full-disk', sql: `select error('${words}')` };
  const job = { checks: [check], tempDirectory: '/full/disk' };
  await expect(bench.audit(company(), { job })).rejects.toMatchObject({
    code: 'spool_failed',
    message: 'The disk is full: /full/disk could not be written (ENOSPC); nothing was published.',
  });
});
