import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadRequest } from '../../../src/ledger/load/load.ts';
import { parseExpected } from '../../../src/ledger/staging/mode.ts';
import { requireExpected, type TiedFile, tiedLine } from '../../../src/ledger/load/tie-out.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Founded, foundAccount } from '../../support/ledger-rows.ts';
import { type Files, loadFiles } from './folder.ts';

let database: TestDatabase;
let home: Founded;
beforeAll(async () => {
  database = await createDatabase();
  home = await foundAccount(await database.client('cf_owner'));
});
afterAll(() => database.drop());

/** Two costs in dollars, one of them a credit, and one in euros: 8.50 USD and 2.00 EUR. */
const CSV = `source_ref,initiative_ref,amount,currency
a,J,10.00,USD
b,J,-1.50,USD
c,J,2.00,EUR
`;
/** A value of 1.25 USD, in a second file. */
const VALUE = 'source_ref,initiative_ref,amount,currency,status,entry_type\nv,J,1.25,USD,reviewed,capacity\n';
const NDJSON = ['10.00,USD', '-1.50,USD', '2.00,EUR']
  .map((each, index) => {
    const [amount, currency] = each.split(',');
    return `${JSON.stringify({ source_ref: `n${index}`, initiative_ref: 'J', amount: Number(amount), currency })}\n`;
  })
  .join('');
const FORMATS: Readonly<Record<string, string | Uint8Array>> = {
  'cost_entries.csv': CSV,
  'cost_entries.csv.gz': gzipSync(CSV),
  'cost_entries.ndjson': NDJSON,
};

async function tie(files: Files, request: Partial<LoadRequest> = {}): Promise<readonly TiedFile[]> {
  let tied: readonly TiedFile[] = [];
  await loadFiles(
    database.url('cf_owner'),
    { 'initiatives.csv': 'source_ref,title,stage\nJ,Mail,live\n', ...files },
    { mode: 'upsert', account: home.account, dryRun: true, onTied: (of) => (tied = of), ...request },
  );
  return tied;
}
const load = async (...asked: Parameters<typeof tie>): Promise<readonly string[]> =>
  (await tie(...asked)).map((file) => tiedLine(file));
const expecting = (line: string) => ({ expect: parseExpected(line) ?? { rows: -1, sums: new Map() } });

describe.each(Object.entries(FORMATS))('a load of %s', (name, content) => {
  const sums = '3 rows, 2.00 EUR, 8.50 USD in the file and in the ledger';

  it('tells the rows and sums by currency as the file and the ledger have them', async () => {
    expect(await load({ [name]: content })).toEqual([
      'initiatives.csv: 1 row in the file and in the ledger',
      `${name}: ${sums}`,
    ]);
  });

  it('is refused by a control line beside the file that says otherwise', async () => {
    expect(await load({ [name]: content, [`${name}.control`]: 'rows=3,USD=8.50,EUR=2\n' })).toHaveLength(2);
    await expect(
      load({ [name]: content, [`${name}.control`]: 'rows=4,USD=8.51,EUR=2.00' }),
    ).rejects.toMatchObject({
      code: 'load_unexpected',
      message: `${name}.control: rows: expected 4, found 3; USD: expected 8.51, found 8.50; nothing was loaded.`,
    });
  });
});

describe('the expected total of a load', () => {
  it('is compared where it is named, and in each currency once one is named', async () => {
    // Three costs and one initiative.
    const tied = await tie({ 'cost_entries.csv': CSV });
    const requireLine = (line: string): void => requireExpected('--expect', tied, expecting(line).expect);
    for (const line of ['rows=4', 'USD=8.50,EUR=2.00', 'rows=4,USD=8.5,EUR=2', 'USD=8.50,EUR=2,CHF=0.00'])
      expect(() => requireLine(line)).not.toThrow();
    for (const [line, fault] of [
      ['rows=3', 'rows: expected 3, found 4 (initiatives.csv 1, cost_entries.csv 3)'],
      ['USD=8.50', 'EUR: expected none, found 2.00'],
      ['USD=8.50,EUR=0', 'EUR: expected 0.00, found 2.00'],
      ['USD=8.50,EUR=2.00,CHF=1', 'CHF: expected 1.00, found none'],
      ['USD=-8.50,EUR=2.00', 'USD: expected -8.50, found 8.50'],
    ] as const) {
      const message = `--expect: ${fault}; nothing was loaded.`;
      const refusal: unknown = expect.objectContaining({ code: 'load_unexpected', message });
      expect(() => requireLine(line)).toThrow(refusal);
    }
  });

  it('is compared with the sums of all files together', async () => {
    const files = { 'cost_entries.csv': CSV, 'value_entries.csv': VALUE };
    // 8.50 and 1.25 dollars.
    expect(await load(files, expecting('rows=5,USD=9.75,EUR=2.00'))).toHaveLength(3);
    await expect(load(files, expecting('USD=1.25,EUR=2.00'))).rejects.toMatchObject({
      code: 'load_unexpected',
      message: '--expect: USD: expected 1.25, found 9.75; nothing was loaded.',
    });
  });

  it('must name a currency of the files also where its amounts add up to zero', async () => {
    const francs = `${CSV}d,J,3.00,CHF\ne,J,-3.00,CHF\n`;
    await expect(load({ 'cost_entries.csv': francs }, expecting('USD=8.50,EUR=2.00'))).rejects.toMatchObject({
      message: '--expect: CHF: expected none, found 0.00; nothing was loaded.',
    });
    expect(await load({ 'cost_entries.csv': francs }, expecting('USD=8.50,EUR=2.00,CHF=0.00'))).toHaveLength(
      2,
    );
  });

  it('is written as rows and sums, each once', () => {
    expect(parseExpected('rows=3, USD=-100.5')).toEqual({ rows: 3, sums: new Map([['USD', -10_050n]]) });
    for (const text of [
      '',
      'rows',
      'rows=-1',
      'rows=1.5',
      'usd=1',
      'USD=1,000',
      'USD=1.234',
      'USD=1,USD=1',
      'rows=1;USD=1',
    ])
      expect([text, parseExpected(text)]).toEqual([text, null]);
  });
});

it('the control line of each file is compared with that file, also of the last', async () => {
  const files = { 'cost_entries.csv': CSV, 'value_entries.csv': VALUE };
  const controls = { 'cost_entries.csv.control': 'rows=3', 'value_entries.csv.control': 'rows=1,USD=1.25' };
  expect(await load({ ...files, ...controls })).toHaveLength(3);
  await expect(
    load({ ...files, ...controls, 'value_entries.csv.control': 'USD=9.75' }),
  ).rejects.toMatchObject({
    message: 'value_entries.csv.control: USD: expected 9.75, found 1.25; nothing was loaded.',
  });
});

it('a control line of another form, and one whose file is not there, are refused', async () => {
  await expect(
    load({ 'cost_entries.csv': CSV, 'cost_entries.csv.control': 'three rows' }),
  ).rejects.toMatchObject({ code: 'usage_invalid' });
  await expect(load({ 'cost_entries.csv.control': 'rows=3' })).rejects.toMatchObject({
    code: 'load_rejected',
    data: { faults: [{ file: 'cost_entries.csv.control' }] },
  });
});

it('the line of a dry run tells what would be in the ledger, not what is', () => {
  const file = {
    file: 'cost_entries.csv',
    table: 'cost_entries',
    rows: 1,
    sums: new Map([['USD', 1250_00n]]),
  };
  expect(tiedLine(file, { dryRun: true })).toBe(
    'cost_entries.csv: 1 row, 1250.00 USD in the file, and as much would be in the ledger',
  );
});

it('the line of a file counts value without an amount, and leaves out a currency that the file leaves out', async () => {
  const value =
    'source_ref,initiative_ref,amount,currency,status,entry_type\nv,J,,,reviewed,\nw,J,1.00,USD,reviewed,\n';
  expect(await load({ 'value_entries.csv': value })).toContain(
    'value_entries.csv: 2 rows, 1.00 USD in the file and in the ledger',
  );
});
