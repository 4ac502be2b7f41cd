import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditMemory } from '../../src/snapshot/audit-memory.ts';
import { company } from './audited-company.ts';
import { controlOf } from './audited-control.ts';
import { AuditBench, refusals } from './audited-files.ts';

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

it('asks for 13 MB more for each MB of control totals, once what was asked for is used up', () => {
  // 64 + 13 × 4.9 = 127.7, which 128 covers; 64 + 13 × 10 = 194; 64 + 13 × 0.1 = 65.3, and no half megabytes.
  expect(auditMemory(128, 4_900_000)).toBe('128MB');
  expect(auditMemory(128, 10_000_000)).toBe('194MB');
  expect(auditMemory(1, 100_000)).toBe('66MB');
});

it('audits an account of so many people that its control totals do not fit into what the tables get', async () => {
  const control = controlOf(company());
  const many = Array.from({ length: 100_000 }, (_, at) => ({
    id: String(9_000 + at),
    name_digest: '0'.repeat(32),
  }));
  const users = [...(control['users'] ?? []), ...many];
  const report = await bench.audit(company(), { control: { ...control, users }, job: { memory_mb: 32 } });
  expect(refusals(report)).toEqual([]);
});
