/** `schema/audit/COVERAGE` names the checks of every column; one column of each table is tried, the sweep tries them all. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TABLES } from '../../../src/tables/all.ts';
import { controlOf } from './audited-control.ts';
import { AuditBench, refusals } from './audited-files.ts';
import { changed, companyWith } from './changed-column.ts';
import { readCoverage } from './coverage.ts';

const covered = readCoverage();

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

it('the coverage of the audit names every column of every table, in published order, once', () => {
  expect(covered.map(({ table, column }) => `${table}.${column}`)).toEqual(
    TABLES.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
  );
});

/** The last column of each table that a check holds. */
const tried = TABLES.flatMap(({ name }) =>
  covered.filter(({ table, checks }) => table === name && checks[0] !== '-').slice(-1),
);

it.each(tried)('the audit refuses a wrong $column in $table', async ({ table, column, checks }) => {
  const report = await bench.audit(changed(table, column), {
    control: controlOf(companyWith(table, column)),
    only: checks,
  });
  expect(refusals(report)).toEqual(checks);
});
