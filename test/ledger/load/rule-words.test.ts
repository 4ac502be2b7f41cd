import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCatalogue } from '../../../src/ledger/staging/catalogue.ts';
import type { LoadTable } from '../../../src/ledger/staging/load-table.ts';
import { wordsOfRule } from '../../../src/ledger/load/rule-words.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';

let database: TestDatabase;
let tables: readonly LoadTable[];
beforeAll(async () => {
  database = await createDatabase();
  const owner = await database.client('cf_owner');
  await owner.query('set search_path = pg_catalog, pg_temp');
  tables = await readCatalogue(owner);
});
afterAll(() => database.drop());

it('the rules of every table and every kind of value have words, and no SQL', () => {
  const rules = tables.flatMap(({ name, checks }) =>
    checks.map((check) => [`${name}.${check.name}`, check.rule_in_words ?? wordsOfRule(check.expression)]),
  );
  const kinds = tables.flatMap(({ columns }) =>
    columns
      .filter(({ rule }) => rule !== null)
      .map(({ type, rule_in_words }) => [type, rule_in_words] as const),
  );
  expect(rules.length).toBeGreaterThan(150);
  expect(new Map(kinds).size).toBeGreaterThan(5);
  const unsaid = [...rules, ...kinds].filter(
    ([, words]) => words === null || /::|ANY \(|CHECK|_check\b|[<>=]/.test(words ?? ''),
  );
  expect(unsaid).toEqual([]);
});

it.each([
  ["(stage = ANY (ARRAY['draft'::text, 'live'::text]))", 'one of draft, live'],
  ["(service.trimmed(name) <> ''::text)", 'text that is not blank'],
  ['((capex_cents)::bigint >= 0)', 'a number of at least 0'],
  ['((margin >= (0)::numeric) AND (margin <= (1)::numeric))', 'a number from 0 to 1'],
  ['((share > (0)::numeric) AND (share <= (1)::numeric))', 'a number above 0, up to 1'],
  ["((weight > (0)::numeric) AND (weight <> 'NaN'::numeric))", 'a number above 0'],
  ['((period_end)::date >= (period_start)::date)', 'period_end not before period_start'],
  ['(num_nonnulls(connection_id, vendor_id) = 1)', 'exactly one of connection_id, vendor_id'],
  ['(num_nonnulls(a, b, c) <= 1)', 'at most one of a, b, c'],
  ['(id <> merged_into_id)', null],
])('the rule %s is said as %j', (expression, words) => {
  expect(wordsOfRule(expression)).toBe(words);
});
