/** Only snapshots that unfold into rows of value_inputs enter: every value has the type of its column. */
import * as fc from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { addValue, foundAccount, inAccount, insert } from '../support/ledger-rows.ts';

let database: TestDatabase;
let reader: Client;
beforeAll(async () => {
  database = await createDatabase();
  reader = await database.client('cf_reader');
});
afterAll(() => database.drop());

async function wellFormed(snapshot: string): Promise<boolean | undefined> {
  const { rows } = await reader.query<{ answer: boolean }>(
    'select service.inputs_well_formed($1) as answer',
    [snapshot],
  );
  return rows[0]?.answer;
}

/** A snapshot of one input, which is written as it is. */
const withInput = (input: string): string => `{"expression": "a", "inputs": {"a": ${input}}}`;

const ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  source_type: ['observation', 'baseline', 'assumption', 'period', 'derived'],
  assumption_scope: ['system', 'account'],
  baseline_method: ['history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate'],
};
const TEXTS = [
  'label',
  'metric_key',
  'assumption_key',
  'assumption_effective_from',
  'observed_at',
  'input_period_start',
  'input_period_end',
  'expression',
];

describe('a well-formed snapshot', () => {
  it.each<[string, string]>([
    ['is empty', '{}'],
    ['has no input', '{"expression": "1", "inputs": {}}'],
    ['has an input of nothing', withInput('{}')],
    [
      'has null for what there is none of',
      withInput('{"value": null, "observation_id": null, "label": null}'),
    ],
    ['has the largest double', withInput('{"value": 1.7976931348623157e308}')],
    ['has the least double', withInput('{"value": -4.9406564584124654e-324}')],
    ['has a whole number as an id', withInput('{"observation_id": 999999999999999999}')],
    ['has a whole number written with an exponent', withInput('{"assumption_id": 1e3}')],
    ...Object.entries(ENUMERATIONS).flatMap(([name, values]) =>
      values.map((value): [string, string] => [`has ${name} ${value}`, withInput(`{"${name}": "${value}"}`)]),
    ),
    ...TEXTS.map((name): [string, string] => [`has text as ${name}`, withInput(`{"${name}": "x"}`)]),
  ])('%s', async (_, snapshot) => {
    expect(await wellFormed(snapshot)).toBe(true);
  });
});

describe('refused is a snapshot', () => {
  it.each<[string, string]>([
    ['that is a list', '[]'],
    ['that is a text', '"x"'],
    ['that is null', 'null'],
    ['without its expression', '{"inputs": {}}'],
    ['whose expression is no text', '{"expression": 1, "inputs": {}}'],
    ['without inputs', '{"expression": "a"}'],
    ['whose inputs are null', '{"expression": "a", "inputs": null}'],
    ['with an input that is a number', withInput('7')],
    ['with an input that is null', withInput('null')],
    ['with an input that is a list', withInput('[]')],
    ['with an attribute that is no column', withInput('{"colour": "red"}')],
    ['with an attribute without a name', withInput('{"": "red"}')],
    ['with a value in words', withInput('{"value": "7"}')],
    ['with a value that is not said to be a number', withInput('{"value": "NaN"}')],
    ['with a value beyond a double', withInput('{"value": 1e309}')],
    ['with a value too small for a double', withInput('{"value": 1e-400}')],
    ['with an id of 0', withInput('{"observation_id": 0}')],
    ['with a negative id', withInput('{"observation_id": -1}')],
    ['with half an id', withInput('{"assumption_id": 1.5}')],
    ['with an id in words', withInput('{"assumption_id": "1"}')],
    ['with an id beyond 64 bits', withInput('{"observation_id": 9223372036854775808}')],
    ['with a flag in words', withInput('{"requires_confirmation": "true"}')],
    ['with a flag of 1', withInput('{"requires_confirmation": 1}')],
    ...Object.keys(ENUMERATIONS).map((name): [string, string] => [
      `with an unknown ${name}`,
      withInput(`{"${name}": "x"}`),
    ]),
    ...TEXTS.map((name): [string, string] => [`with a number as ${name}`, withInput(`{"${name}": 1}`)]),
  ])('%s', async (_, snapshot) => {
    expect(await wellFormed(snapshot)).toBe(false);
  });
});

const names = [...Object.keys(ENUMERATIONS), ...TEXTS, 'value', 'observation_id', 'assumption_id', 'colour'];
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom(...Object.values(ENUMERATIONS).flat()),
  fc.integer({ min: 1, max: 99 }),
  fc.constant(null),
);
const anyInput = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 3 });

it('what is well formed unfolds without an error, each value into its column', async () => {
  const unfolded = `
    select (f ->> 'value')::double precision, (f ->> 'observation_id')::bigint, (f ->> 'assumption_id')::bigint,
      (f ->> 'requires_confirmation')::boolean
    from jsonb_each($1::jsonb -> 'inputs') as input (variable, f)`;
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), anyInput, { maxKeys: 3 }), async (inputs) => {
      // PostgreSQL holds no zero character in a text, of a JSON document either.
      const snapshot = JSON.stringify({ expression: 'a', inputs }).replaceAll(String.raw`\u0000`, '');
      if ((await wellFormed(snapshot)) !== true) return;
      accepted++;
      await expect(reader.query(unfolded, [snapshot])).resolves.toBeDefined();
    }),
    { numRuns: 200 },
  );
  expect(accepted).toBeGreaterThan(10);
});

it('a value entry with any other snapshot of inputs is refused, on insert and on update', async () => {
  const owner = await database.client('cf_owner');
  const home = await foundAccount(owner);
  const formula_id = await insert(owner, 'ledger.formulas', { account_id: home.account, formula_key: 'f' });
  const formula_version_id = await insert(owner, 'ledger.formula_versions', {
    account_id: home.account,
    formula_id,
    version: 1,
    name: 'F',
    expression: 'a',
  });
  const refused = { code: '23514', constraint: 'value_inputs_well_formed' };
  const add = (input_snapshot: string): Promise<bigint> =>
    inAccount(owner, home.account, () =>
      addValue(owner, home, { source_type: 'calculated', formula_version_id, input_snapshot }),
    );
  await expect(add(withInput('{"value": "7"}'))).rejects.toMatchObject(refused);
  const id = await add(withInput('{"value": 7}'));
  await expect(
    inAccount(owner, home.account, () =>
      owner.query('update ledger.value_entries set input_snapshot = $2 where id = $1', [
        id,
        withInput('{"value": 1e-400}'),
      ]),
    ),
  ).rejects.toMatchObject(refused);
});
