/** What an ordinary change costs: the files written by hand that name one column, and one table. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const GENERATED = new Set([
  'schema/CHANGES.md',
  'schema/v1.openapi.json',
  'schema/v1.tables.json',
  'src/database/schema.ts',
]);

const files = globSync('{src,schema,jobs,tools}/**/*', { cwd: ROOT.pathname, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(ROOT.pathname.length))
  .filter((path) => !GENERATED.has(path))
  .toSorted();

function naming(name: string): string[] {
  const word = new RegExp(`\\b${name}\\b`);
  return files.filter((path) => word.test(readFileSync(new URL(path, ROOT), 'utf8')));
}

// A file more is an edit more for each column or table to come. Make it from the declaration in `src/tables` instead: in
// TypeScript by its columns, in `schema/audit` and `schema/diff` by a template of each table.
test('the column books_account_name is named in six files written by hand', () => {
  expect(naming('books_account_name')).toEqual([
    'schema/audit/24-check-sources.sql',
    'schema/audit/30-check-control-costs.sql',
    'schema/audit/COVERAGE',
    'schema/diff/30-view-reasons.sql',
    'schema/views/cost_entries.sql',
    'src/tables/costs.ts',
  ]);
});

test('the table accounting_periods is named in seven files written by hand', () => {
  expect(naming('accounting_periods')).toEqual([
    'schema/audit/24-check-sources.sql',
    'schema/audit/29-check-locks.sql',
    'schema/audit/37-check-control-periods.sql',
    'schema/audit/COVERAGE',
    'schema/diff/20-view-entries.sql',
    'src/tables/accounting_periods.ts',
    'src/tables/all.ts',
  ]);
});
