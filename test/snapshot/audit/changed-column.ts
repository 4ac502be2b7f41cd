/** The tiny company with one wrong value in a column, which the audit has to refuse. */
import type { Row } from '../../../src/parquet/row-fields.ts';
import { TABLES } from '../../../src/tables/all.ts';
import type { Column } from '../../../src/tables/table.ts';
import { company, type Company } from './audited-company.ts';

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
export function companyWith(table: string, column: string): Company {
  const rows = company();
  if (table === 'metric_readings' && column.startsWith('recorded_by')) {
    const recorded = { source_type: 'manual', recorded_by_id: 501n, recorded_by_name: 'Ada' };
    Object.assign(rows[table]?.[0] ?? {}, recorded);
  }
  return rows;
}

/** The first row that has the column, changed there; the last of `reported_totals`, which is a window in a whole year. */
export function changed(table: string, column: string): Company {
  const rows = companyWith(table, column);
  const declared = TABLES.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
  const row = rows[table]?.find((each) => each[column] !== null && !SPARED.has(each['window_key'] as string));
  if (declared === undefined || row === undefined) throw new Error(`no row has ${table}.${column}`);
  row[column] = wrong(declared, row[column] ?? null);
  return rows;
}

// What is due of plans in all time is held by no sum, so another window stands for it.
const SPARED = new Set<string>(['all']);
