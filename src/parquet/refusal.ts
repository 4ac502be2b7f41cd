/** The errors for values that cannot be written to a Parquet file. */
import { CrossfootError } from '../errors.ts';
import type { Column, Table } from '../tables/table.ts';

const SENTENCES = {
  copy_field_width: 'the field has another length than its type',
  value_infinite: 'the day or instant is infinite or out of range',
  value_missing: 'there is no value, but the column requires one',
  value_not_finite: 'the number is NaN or infinite',
  value_not_of_kind: "the value is not of the column's kind or range",
} as const;

/** The faults of a value, as codes of the error catalogue. */
export type ValueFault = keyof typeof SENTENCES;

/** The error for one value; it names the table, the column and the row's number, counted from 1. */
export function refuseValue(fault: ValueFault, table: Table, column: Column, row: number): CrossfootError {
  return new CrossfootError(fault, `${table.name}.${column.name}, row ${row}: ${SENTENCES[fault]}.`, {
    data: { table: table.name, column: column.name, row },
  });
}
