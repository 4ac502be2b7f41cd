/** What an ordinary change costs: the files written by hand that name one column, one table, one page, and one set of files. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PAGES } from '../../src/serve/page-routes.ts';
import { FILE_SETS } from '../../src/tables/file-sets.ts';

const ROOT = new URL('../../', import.meta.url);
const GENERATED = new Set([
  'schema/CHANGES.md',
  'schema/ledger.tables.json',
  'schema/v1.openapi.json',
  'schema/v1.tables.json',
  'src/database/schema.ts',
]);

const files = globSync('{src,schema,jobs,tools}/**/*', { cwd: fileURLToPath(ROOT), withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(fileURLToPath(ROOT).length))
  .filter((path) => !GENERATED.has(path))
  .toSorted();

function naming(name: string): string[] {
  const word = new RegExp(`\\b${name}\\b`);
  return files.filter((path) => word.test(readFileSync(new URL(path, ROOT), 'utf8')));
}

// A file more is an edit more for each column or table to come. Make it from the declaration in `src/tables` instead: in
// TypeScript by its columns, in `schema/audit` and `schema/diff` by a template of each table.
test('the column books_account_name is named in five files written by hand', () => {
  expect(naming('books_account_name')).toEqual([
    'schema/audit/24-check-sources.sql',
    'schema/audit/COVERAGE',
    'schema/diff/30-view-reasons.sql',
    'schema/views/cost_entries.sql',
    'src/tables/costs.ts',
  ]);
});

// The select, the rows, the contract, the JSON and the companion of a record follow from its declaration.
test('the column gl_dimension_value of the API is named in six files written by hand', () => {
  expect(naming('gl_dimension_value')).toEqual([
    'schema/ledger/0006-initiatives.sql',
    'schema/ledger/0028-column-meanings.sql',
    'schema/views/initiatives.sql',
    'src/serve/contract/examples/figures.json',
    'src/tables/records/initiative.ts',
    'tools/seed/initiative-steps.ts',
  ]);
});

// The control totals of both engines follow from the declaration of the table. Its pages and the demo are no part of the errand.
test('the column next_review_on of a table and of the API is named in seven files written by hand', () => {
  expect(naming('next_review_on').filter((path) => !/^(?:src\/serve\/money|tools)\//.test(path))).toEqual([
    'schema/audit/COVERAGE',
    'schema/ledger/0012-approvals.sql',
    'schema/ledger/0028-column-meanings.sql',
    'schema/views/portfolio_decisions.sql',
    'src/serve/contract/examples/figures.json',
    'src/tables/portfolio_decisions.ts',
    'src/tables/records/decision.ts',
  ]);
});

test('the column sample_size of the API and of metric_readings has one declaration in each', () => {
  expect(naming('sample_size').filter((path) => /^(?:src|schema\/companions)\//.test(path))).toEqual([
    'src/serve/contract/examples/figures.json',
    'src/tables/metric_readings.ts',
    'src/tables/records/observation.ts',
  ]);
});

test('the table accounting_periods is named in seven files written by hand, beside pages that show it', () => {
  expect(naming('accounting_periods').filter((path) => !path.startsWith('src/serve/'))).toEqual([
    'schema/audit/24-check-sources.sql',
    'schema/audit/29-check-locks.sql',
    'schema/audit/37-check-control-periods.sql',
    'schema/audit/COVERAGE',
    'schema/diff/20-view-entries.sql',
    'src/tables/accounting_periods.ts',
    'src/tables/all.ts',
  ]);
});

/** The files of `src` whose code, without its comments, has the word. */
function coding(word: RegExp): string[] {
  return files.filter((path) => {
    const text = path.endsWith('.ts') ? readFileSync(new URL(path, ROOT), 'utf8') : '';
    return word.test(text.replaceAll(/\/\*[^]*?\*\/|(?<!\S)\/\/.*$/gm, ''));
  });
}

// What builds, audits, publishes, reads, verifies and scrubs a snapshot loops over `FILE_SETS`. A further set is a declaration,
// a line in this list, its SQL and its tests; a file more is an edit more for each. The rest is what one set is for.
test('the set of companion tables is named by its declaration, the list of sets and its users', () => {
  expect(coding(/companion/i)).toEqual([
    'src/client/agreement.ts', // clients know which fields older servers do not send
    'src/commands/account.ts', // the switch
    'src/commands/actions/account.ts',
    'src/ledger/account-records.ts',
    'src/serve/api-routes.ts', // the API as of a snapshot
    'src/serve/live/companion-counts.ts',
    'src/serve/live/snapshot-ai-spend.ts', // the names of those who billed
    'src/serve/live/snapshot-budgets.ts',
    'src/serve/live/snapshot-files.ts',
    'src/serve/live/snapshot-initiatives.ts',
    'src/serve/live/snapshot-lists.ts',
    'src/serve/live/snapshot-usage.ts', // sums of one table
    'src/serve/live/source.ts',
    'src/serve/money/initiative.ts', // plans and ended budgets
    'src/serve/rows/biller-column.ts', // the names of those who billed
    'src/serve/rows/id-names.ts', // the names of vendors
    'src/snapshot/format/keys.ts', // the ending of the files of every set
    'src/snapshot/read/connections.ts',
    'src/snapshot/read/vendor-names.ts',
    'src/tables/companions.ts',
    'src/tables/file-set.ts', // the switch
    'src/tables/file-sets.ts',
  ]);
});

// Nothing else asks whether an answer is live or as of a snapshot: routes and tools read their source.
test('the source of an answer of routes and tools is chosen in one file', () => {
  expect(coding(/\b(?:ledger|snapshot)Source\(/)).toEqual([
    'src/serve/live/chosen-source.ts',
    'src/serve/live/ledger-source.ts',
    'src/serve/live/snapshot-source.ts',
  ]);
});

// Loading bills of FOCUS and the focus of a browser are no part of the set.
const OTHER_FOCUS =
  /^(?:tools|src\/(?:focus|ledger\/focus|ledger\/sources|commands|browser|prover|serve\/frame))\//;

test('the set of the FOCUS file is named by its declaration, the list of sets and what a server says of it', () => {
  expect(coding(/\bfocus\b|FOCUS/).filter((path) => !OTHER_FOCUS.test(path))).toEqual([
    'src/figures/ai-spend.ts', // the platform of loaded bills
    'src/serve/contract/snapshot-shapes.ts', // the contract
    'src/serve/reporting/snapshot-file.ts',
    'src/serve/reporting/table-parameter.ts',
    'src/serve/sharing/changes.ts', // it has no change feed
    'src/snapshot/format/served-manifest.ts', // its address
    'src/tables/file-sets.ts',
    'src/tables/focus.ts',
    'src/warehouse/data-contract.ts',
  ]);
});

test('the set of sums is named by its declaration, the list of sets and its reader', () => {
  expect(coding(/\bmonth_sums|SUMS_SET|SUM_TABLES/)).toEqual([
    'src/serve/live/snapshot-files.ts',
    'src/serve/live/snapshot-sums.ts',
    'src/serve/money/months.ts',
    'src/tables/file-sets.ts',
    'src/tables/sums.ts',
  ]);
});

test('a set of files is declared in at most 40 lines', () => {
  const declared = files.flatMap((path) =>
    path.startsWith('src/tables/')
      ? [
          ...readFileSync(new URL(path, ROOT), 'utf8').matchAll(
            /^export const \w+ = \{\n(?: .*\n)+\} as const satisfies FileSet;/gm,
          ),
        ]
      : [],
  );
  expect(declared).toHaveLength(FILE_SETS.length);
  expect(Math.max(...declared.map(([text]) => text.split('\n').length))).toBeLessThanOrEqual(40);
});

test('a page is named in two files: its own, and the list of pages', () => {
  expect(naming('provePage')).toEqual(['src/serve/page-routes.ts', 'src/serve/pages/prove-page.ts']);
});

test('the address of a page stands in one file', () => {
  const addresses = PAGES.map(({ path }) => path).filter((path) => path.includes('{'));
  expect(addresses.length).toBeGreaterThan(10);
  const texts = files.map((path) => readFileSync(new URL(path, ROOT), 'utf8'));
  const places = (address: string) => texts.filter((text) => text.includes(`'${address}'`)).length;
  expect(addresses.filter((address) => places(address) !== 1)).toEqual([]);
});
