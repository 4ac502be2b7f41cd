/** `schema/audit/COVERAGE`, read: which checks hold which column. */
import { readFileSync } from 'node:fs';
import { TABLES } from '../../../src/tables/all.ts';

export interface CoveredColumn {
  readonly table: string;
  readonly column: string;
  /** The checks that refuse a wrong value; `-` alone where none can. */
  readonly checks: readonly string[];
}

/** A line for each column, in the file's order. */
export function readCoverage(): readonly CoveredColumn[] {
  return readFileSync(new URL('../../../schema/audit/COVERAGE', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([table]) => TABLES.some(({ name }) => name === table))
    .map(([table = '', column = '', ...checks]) => ({ table, column, checks }));
}
