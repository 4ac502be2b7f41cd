import { expect, it } from 'vitest';
import { areDerived } from '../../src/tables/file-sets.ts';

it.each([
  ['a file of sums', ['month_sums.companion'], true],
  ['the report of the sums', ['sums.json'], true],
  ['sums and their report', ['month_sums_unsettled.companion', 'sums.json'], true],
  ['sums and a table', ['month_sums.companion', 'costs.parquet'], false],
  ['the report of the tables', ['audit.json'], false],
  ['a companion table', ['api_metrics.companion'], false],
  ['a file without a name', [], false],
])('the figures of a snapshot can be read without %s: %j is %s', (_, files, expected) => {
  expect(areDerived(files)).toBe(expected);
});
