import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInSweeps } from '../support/sweeps.ts';
import * as fc from 'fast-check';
import type { Client } from 'pg';
import { type Json, NumberText, canonical, sprawling } from '../support/canonical-json.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { type Founded, addValue, foundAccount, insert } from '../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let reader: Client;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
});
afterAll(() => database.drop());

async function fromLedger(document: string): Promise<{ text: string; sha256: string } | undefined> {
  const { rows } = await reader.query<{ text: string; sha256: string }>(
    `select service.canonical_json($1::jsonb) as text,
            service.sha256_hex(service.canonical_json($1::jsonb)) as sha256`,
    [document],
  );
  return rows[0];
}

const digest = (content: string): string => createHash('sha256').update(content, 'utf8').digest('hex');
const baseline = (fields: object): object => ({ source_type: 'baseline', ...fields });

describe('canonical JSON', () => {
  it.each([
    ['the empty ones', '[ { }, [ ], "" ]', '[{},[],""]'],
    [
      'keys by their bytes, at every level',
      '{"b":{"z":1,"a":2},"a":[{"d":1,"c":2}]}',
      '{"a":[{"c":2,"d":1}],"b":{"a":2,"z":1}}',
    ],
    // jsonb itself puts shorter keys first: "z" before "aa".
    ['keys not by length', '{"z":1,"aa":2,"Z":3,"10":4,"9":5}', '{"10":4,"9":5,"Z":3,"aa":2,"z":1}'],
    // U+FF5E is EF BD 9E in UTF-8 and U+1F600 is F0 9F 98 80; in UTF-16 the latter comes first (D83D).
    ['keys by UTF-8, not UTF-16', '{"😀":1,"～":2,"é":3,"z":4}', '{"z":4,"é":3,"～":2,"😀":1}'],
    ['arrays in their order', '[3, 1, 2, null, true, false]', '[3,1,2,null,true,false]'],
    [
      'numbers in plain digits',
      '[1e3, 1.50, -0.0, 1.5e-3, 12345678901234567890]',
      '[1000,1.50,0.0,0.0015,12345678901234567890]',
    ],
    [
      'escapes only where JSON demands them',
      String.raw`"\u0041\/\u00e9\u001f\n\"\\\u007f"`,
      String.raw`"A/é\u001f\n\"\\` + '\u007f"',
    ],
    ['the last of two equal keys', '{"a":1,"a":2}', '{"a":2}'],
  ])('has %s', async (_what, document, text) => {
    expect((await fromLedger(document))?.text).toBe(text);
  });

  it('is what a second implementation writes, whose digest is the same', async () => {
    await expect(writeAlike(50)).resolves.toBeUndefined();
  });
  itInSweeps('is that for 300 documents', () => writeAlike(300));
});

/** Expects one text and digest of the ledger and of a second implementation, for so many drawn documents. */
async function writeAlike(numRuns: number): Promise<void> {
  const digits = fc
    .stringMatching(/^-?(0|[1-9]\d{0,17})(\.\d{1,9})?([eE][+-]?\d{1,2})?$/)
    .map((text) => new NumberText(text));
  // NUL is no text in PostgreSQL, and half a surrogate pair is no text at all.
  const text = fc
    .string({ unit: 'binary', maxLength: 12 })
    .filter((value) => !value.includes('\0') && value.isWellFormed());
  const { document } = fc.letrec<{ document: Json }>((tie) => ({
    document: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'json' },
      fc.constantFrom(null, true, false),
      text,
      digits,
      fc.array(tie('document'), { maxLength: 4, depthIdentifier: 'json' }),
      fc.dictionary(text, tie('document'), { maxKeys: 5, depthIdentifier: 'json', noNullPrototype: true }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(document, async (value) => {
      const expected = canonical(value);
      expect(await fromLedger(sprawling(value))).toEqual({ text: expected, sha256: digest(expected) });
      expect((await fromLedger(expected))?.text).toBe(expected);
    }),
    { numRuns },
  );
}

describe('the stored JSON', () => {
  let home: Founded;
  let formula_version_id: bigint;
  beforeAll(async () => {
    home = await foundAccount(owner);
    const account = { account_id: home.account };
    const formula_id = await insert(owner, 'ledger.formulas', { ...account, formula_key: 'time_saved' });
    formula_version_id = await insert(owner, 'ledger.formula_versions', {
      ...account,
      formula_id,
      version: 1,
      name: 'Time saved',
      expression: 'a',
    });
  });

  it('is made canonical when written, and its digest is of exactly those bytes', async () => {
    const id = await addValue(owner, home, {
      formula_version_id,
      input_snapshot: '{ "inputs": {"b": {"value": 1e2}, "a": {}}, "expression": "é" }',
    });
    const stored = async (): Promise<unknown> =>
      (
        await owner.query(
          'select input_snapshot, input_snapshot_sha256 from ledger.value_entries where id = $1',
          [id],
        )
      ).rows[0];
    const text = '{"expression":"é","inputs":{"a":{},"b":{"value":100}}}';
    expect(await stored()).toEqual({ input_snapshot: text, input_snapshot_sha256: digest(text) });
    await owner.query(
      `update ledger.value_entries set input_snapshot = '{ "inputs": {}, "expression": "a" }' where id = $1`,
      [id],
    );
    expect(await stored()).toEqual({
      input_snapshot: '{"expression":"a","inputs":{}}',
      input_snapshot_sha256: digest('{"expression":"a","inputs":{}}'),
    });
  });

  it('cannot be anything but canonical, even with its trigger off', async () => {
    const input_snapshot = '{"expression":"a","inputs":{}}';
    const id = await addValue(owner, home, { formula_version_id, input_snapshot });
    await owner.query('begin; alter table ledger.value_entries disable trigger user');
    await expect(
      owner.query(
        `update ledger.value_entries set input_snapshot = '{"inputs":{},"expression":"a"}' where id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ constraint: 'value_snapshot_canonical' });
    await owner.query('rollback');
  });

  it('is {} for a value without a formula', async () => {
    const id = await addValue(owner, home);
    const { rows } = await owner.query('select input_snapshot from ledger.value_entries where id = $1', [id]);
    expect(rows).toEqual([{ input_snapshot: '{}' }]);
    await expect(
      addValue(owner, home, { input_snapshot: '{"expression":"a","inputs":{}}' }),
    ).rejects.toMatchObject({
      constraint: 'value_without_formula_no_inputs',
    });
  });

  it('lists the methods of baselines and the latest day on which a measured baseline begins', async () => {
    const inputs = {
      a: baseline({
        baseline_method: 'history',
        input_period_start: '2026-01-05',
        observed_at: '2026-02-01T00:00:00Z',
      }),
      // 22:30 in New York on 6 January is 7 January in UTC.
      b: baseline({ baseline_method: 'time_study', observed_at: '2026-01-06T22:30:00-05:00' }),
      c: baseline({ baseline_method: 'without_ai_sample', observed_at: '2026-03-01' }),
      d: baseline({ observed_at: '2026-03-01' }),
      e: { source_type: 'observation', observed_at: '2026-03-01' },
      f: baseline({ baseline_method: 'history', observed_at: 'now' }),
    };
    const id = await addValue(owner, home, {
      formula_version_id,
      input_snapshot: JSON.stringify({ expression: 'a', inputs }),
    });
    const { rows } = await owner.query(
      'select baseline_methods, baseline_measured_on from ledger.value_entries where id = $1',
      [id],
    );
    expect(rows).toEqual([
      {
        baseline_methods: ['estimate', 'history', 'time_study', 'without_ai_sample'],
        baseline_measured_on: '2026-01-07',
      },
    ]);
  });

  it('of a reading has its dimensions sorted', async () => {
    const metric_id = await insert(owner, 'ledger.metrics', {
      account_id: home.account,
      metric_key: 'm',
      name: 'M',
    });
    const id = await insert(owner, 'ledger.observations', {
      account_id: home.account,
      metric_id,
      value: 1,
      role: 'reading',
      source_type: 'manual',
      dimensions: '{"team": "b", "region": "a"}',
    });
    const { rows } = await owner.query('select dimensions from ledger.observations where id = $1', [id]);
    expect(rows).toEqual([{ dimensions: '{"region":"a","team":"b"}' }]);
  });
});
