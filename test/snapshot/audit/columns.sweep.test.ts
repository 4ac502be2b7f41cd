/** Every column of every table: a wrong value in it is refused by the checks that `schema/audit/COVERAGE` names. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCoverage } from './coverage.ts';
import { company } from './audited-company.ts';
import { controlOf } from './audited-control.ts';
import { AuditBench, refusals } from './audited-files.ts';
import { changed, companyWith } from './changed-column.ts';

const covered = readCoverage();

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

it.each(covered.filter(({ column }) => column === 'snapshot_id'))(
  'the audit refuses rows of $table from another snapshot',
  async ({ table, checks }) => {
    const report = await bench.audit(company(), { foreign: table, only: checks });
    expect(refusals(report)).toEqual(checks);
  },
);

it.each(covered.filter(({ column, checks }) => column !== 'snapshot_id' && checks[0] !== '-'))(
  'the audit refuses a wrong $column in $table',
  async ({ table, column, checks }) => {
    const report = await bench.audit(changed(table, column), {
      control: controlOf(companyWith(table, column)),
      only: checks,
    });
    expect(refusals(report)).toEqual(checks);
  },
);

it.each(covered.filter(({ checks }) => checks[0] === '-'))(
  'the audit has no check that holds $column of $table, as COVERAGE says',
  async ({ table, column }) => {
    const report = await bench.audit(changed(table, column), { control: controlOf(company()) });
    expect(refusals(report)).toEqual([]);
  },
);
