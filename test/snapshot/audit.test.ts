import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditBench } from './audited-files.ts';
import { company } from './audited-company.ts';

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

describe('a snapshot that is right', () => {
  it('passes every check', async () => {
    const report = await bench.audit(company());
    expect(report.checks.filter((check) => !check.passed)).toEqual([]);
    expect(report.passed).toBe(true);
  });
});
