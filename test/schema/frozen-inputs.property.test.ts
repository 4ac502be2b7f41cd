/** The frozen inputs of value entries: printed and read the same, whichever way the ledger takes for a document. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { Client } from 'pg';
import { type Json, NumberText, canonical, sprawling } from '../support/canonical-json.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());

interface Input {
  readonly [name: string]: Json;
}

const text = fc.constantFrom('', 'Label', 'a "quoted" é', '{', '[1]', 'back\\slash', '},{');
const id = fc
  .oneof(fc.constantFrom('9', '10', '9007199254740993'), fc.integer({ min: 1, max: 30 }).map(String))
  .map((digits) => new NumberText(digits));
const method = fc.constantFrom('history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate', null);
// A day or an instant in one text, with the UTC day that it names; null for a text that names none.
const DAYS: Readonly<Record<string, string | null>> = {
  '2026-01-05': '2026-01-05',
  '2026-02-30': null,
  '0000-01-01': null,
  '2026-01-06T22:30:00-05:00': '2026-01-07', // half past three in UTC
  '2026-1-07': null,
  '2026-01-0x': null,
  '20-2601-05': null,
  now: null,
};
const day = fc.constantFrom(...Object.keys(DAYS), null);

const input: fc.Arbitrary<Input> = fc.record(
  {
    label: text,
    source_type: fc.constantFrom('observation', 'baseline', 'baseline', 'assumption', null),
    value: fc.constantFrom(null, ...['7', '-3', '0.50', '1e3'].map((digits) => new NumberText(digits))),
    observation_id: fc.oneof(id, fc.constant(null)),
    baseline_method: method,
    input_period_start: day,
    observed_at: day,
    assumption_id: id,
    assumption_key: text,
    metric_key: text,
    expression: text,
    requires_confirmation: fc.boolean(),
    assumption_scope: fc.constantFrom('system', 'account'),
  },
  { requiredKeys: [] },
);

const variable = fc.constantFrom('a', 'b', 'aa', 'Z', 'é', '"', 'input_1', 'input_10', 'input_2');
const inputs = fc.dictionary(variable, input, { maxKeys: 5, noNullPrototype: true });

/** The day on which the input's measurement begins; null if it names no day. */
function measuredOn({ input_period_start, observed_at }: Input): string | null {
  const recorded = input_period_start ?? observed_at ?? null;
  return recorded === null ? null : (DAYS[recorded as string] ?? null); // only texts of DAYS occur
}

it('the frozen inputs are printed and read as a second implementation does it', async () => {
  await fc.assert(
    fc.asyncProperty(inputs, text, async (frozen, expression) => {
      const document = { inputs: frozen, expression };
      const all = Object.values(frozen);
      const ids = all.flatMap(({ observation_id = null }) =>
        observation_id instanceof NumberText ? BigInt(observation_id.text) : [],
      );
      const baselines = all.filter(({ source_type }) => source_type === 'baseline');
      const methods = baselines.map(
        ({ baseline_method }) => (baseline_method as string | null) ?? 'estimate',
      );
      const days = baselines
        .filter(({ baseline_method }) => baseline_method === 'history' || baseline_method === 'time_study')
        .flatMap((measured) => measuredOn(measured) ?? []);
      const { rows } = await owner.query(
        `select service.canonical_json(snapshot::jsonb) as printed, service.input_observations(snapshot) as ids,
           service.input_baseline_methods(snapshot) as methods, service.input_measured_on(snapshot)::text as day
         from (select $1::text as snapshot) as written`,
        [sprawling(document)],
      );
      expect(rows).toEqual([
        {
          printed: canonical(document),
          ids: [...new Set(ids)].toSorted((one, other) => (one < other ? -1 : 1)),
          methods: [...new Set(methods)].toSorted(),
          day: days.toSorted().at(-1) ?? null,
        },
      ]);
    }),
    { numRuns: 400 },
  );
});

it.each([
  [
    'a field without a column',
    '{"inputs":{"a":{"value":1,"label":"A","unit":"h"}},"expression":"a"}',
    '{"expression":"a","inputs":{"a":{"label":"A","unit":"h","value":1}}}',
  ],
  [
    'a field of several values',
    '{"inputs":{"a":{"value":{"b":1,"aa":2}}},"expression":"a"}',
    '{"expression":"a","inputs":{"a":{"value":{"aa":2,"b":1}}}}',
  ],
  [
    'a field that is a list',
    '{"inputs":{"a":{"label":[2, 1]}},"expression":"a"}',
    '{"expression":"a","inputs":{"a":{"label":[2,1]}}}',
  ],
  [
    'an input without fields',
    '{"inputs":{"b":{},"a":{ }},"expression":"a"}',
    '{"expression":"a","inputs":{"a":{},"b":{}}}',
  ],
  // jsonb puts the shorter name first: "z" before "aa".
  [
    'names of several lengths',
    '{"inputs":{"z":{},"aa":{}},"expression":"a"}',
    '{"expression":"a","inputs":{"aa":{},"z":{}}}',
  ],
  ['no inputs', '{"inputs":{},"expression":"a"}', '{"expression":"a","inputs":{}}'],
  [
    'an input that is a list',
    '{"inputs":{"b":[{"label":"B"}],"a":{"value":1}},"expression":"a"}',
    '{"expression":"a","inputs":{"a":{"value":1},"b":[{"label":"B"}]}}',
  ],
  [
    'an input that is a number',
    '{"inputs":{"b":5,"a":{"value":1}},"expression":"a"}',
    '{"expression":"a","inputs":{"a":{"value":1},"b":5}}',
  ],
  [
    'an expression that is null',
    '{"inputs":{"a":{"value":1}},"expression":null}',
    '{"expression":null,"inputs":{"a":{"value":1}}}',
  ],
  ['no expression', '{"inputs":{"a":{"value":1}}}', '{"inputs":{"a":{"value":1}}}'],
  [
    'more beside its inputs',
    '{"note":"x","inputs":{"a":{}},"expression":"a"}',
    '{"expression":"a","inputs":{"a":{}},"note":"x"}',
  ],
])('the frozen inputs are printed whole with %s', async (_, written, printed) => {
  const { rows } = await owner.query('select service.canonical_json($1::jsonb) as printed', [written]);
  expect(rows).toEqual([{ printed }]);
});
