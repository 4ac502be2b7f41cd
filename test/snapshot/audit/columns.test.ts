/** Every column of every table: a wrong value in it is refused by the checks that `schema/audit/COVERAGE` names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../../src/parquet/row-fields.ts';
import { TABLES } from '../../../src/tables/all.ts';
import type { Column } from '../../../src/tables/table.ts';
import { readCoverage } from './coverage.ts';
import { company, type Company } from './audited-company.ts';
import { controlOf } from './audited-control.ts';
import { AuditBench, refusals } from './audited-files.ts';

const covered = readCoverage();

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** A value of the column's kind that no row of the company has. */
function wrong(column: Column, now: Row[string]): Row[string] {
  switch (column.kind) {
    case 'string':
    case 'text':
      return `${String(now)}x`;
    case 'json':
      return '{"expression":"a-c","inputs":{}}';
    case 'integer':
    case 'number':
      return Number(now) + 1;
    case 'boolean':
      return now !== true;
    case 'date':
      return '2001-02-03';
    case 'timestamp':
      return (now as bigint) + 86_400_000_001n; // another day, and no midnight
    case 'id':
      return (now as bigint) + 100n;
    case 'cents':
      return (now as bigint) + 3n;
  }
}

/** The company; for the recorder of a reading, of which it has none, with a reading that Ada entered by hand. */
function companyWith(table: string, column: string): Company {
  const rows = company();
  if (table === 'metric_readings' && column.startsWith('recorded_by')) {
    const recorded = { source_type: 'manual', recorded_by_id: 501n, recorded_by_name: 'Ada' };
    Object.assign(rows[table]?.[0] ?? {}, recorded);
  }
  return rows;
}

/** The first row that has the column, changed there; the last of `reported_totals`, which is a window in a whole year. */
function changed(table: string, column: string): Company {
  const rows = companyWith(table, column);
  const declared = TABLES.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
  const row = rows[table]?.find((each) => each[column] !== null && !SPARED.has(each['window_key'] as string));
  if (declared === undefined || row === undefined) throw new Error(`no row has ${table}.${column}`);
  row[column] = wrong(declared, row[column] ?? null);
  return rows;
}

// What is due of plans in all time is held by no sum, so another window stands for it.
const SPARED = new Set<string>(['all']);

describe('the coverage of the audit', () => {
  it('names every column of every table, in published order, once', () => {
    expect(covered.map(({ table, column }) => `${table}.${column}`)).toEqual(
      TABLES.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
    );
  });

  it.each(covered.filter(({ column }) => column === 'snapshot_id'))(
    'refuses rows of $table from another snapshot',
    async ({ table, checks }) => {
      const report = await bench.audit(company(), { foreign: table, only: checks });
      expect(refusals(report)).toEqual(checks);
    },
  );

  it.each(covered.filter(({ column, checks }) => column !== 'snapshot_id' && checks[0] !== '-'))(
    'refuses a wrong $column in $table',
    async ({ table, column, checks }) => {
      const report = await bench.audit(changed(table, column), {
        control: controlOf(companyWith(table, column)),
        only: checks,
      });
      expect(refusals(report)).toEqual(checks);
    },
  );

  it.each(covered.filter(({ checks }) => checks[0] === '-'))(
    'rightly says that no check holds $column of $table',
    async ({ table, column }) => {
      const report = await bench.audit(changed(table, column), { control: controlOf(company()) });
      expect(refusals(report)).toEqual([]);
    },
  );
});
