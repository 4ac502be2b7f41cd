import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeControl } from '../../src/snapshot/control-file.ts';
import { company } from './audited-company.ts';
import { controlOf } from './audited-control.ts';
import { AuditBench, refusals } from './audited-files.ts';

const MEMORY_MB = 96;
/** The longest value of JSON that the engine reads in one piece. */
const ONE_PIECE_BYTES = 16 * 1024 * 1024;

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

it('audits an account of so many people that its control totals are no single piece of JSON any more', async () => {
  const control = controlOf(company());
  const many = Array.from({ length: 200_000 }, (_, at) => ({
    id: String(9_000 + at),
    name_digest: '0'.repeat(32),
  }));
  const large = { ...control, users: [...(control['users'] ?? []), ...many] };
  expect(encodeControl(large).length).toBeGreaterThan(ONE_PIECE_BYTES);
  const report = await bench.audit(company(), { control: large, job: { memory_mb: MEMORY_MB } });
  expect(refusals(report)).toEqual([]);
});
