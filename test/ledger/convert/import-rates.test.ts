import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ImportedRates, importRates } from '../../../src/ledger/convert/import-rates.ts';
import { readReferenceRates } from '../../../src/rates/reference-csv.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { blockersOf, outcomeOf, processOf } from '../../support/waiting.ts';

const JULY = 'Date,USD,GBP,\n2026-07-14,1.1740,0.86467,\n2026-07-13,1.1702,N/A,\n';

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());
beforeEach(() => owner.query('truncate ledger.euro_reference_rates'));

const take = (text: string, revise = false, client = owner): Promise<ImportedRates> =>
  importRates(client, readReferenceRates(Buffer.from(text)), { revise });

/** What is published, as `<day> <currency> <units>`. */
async function published(): Promise<readonly string[]> {
  const { rows } = await owner.query<{ line: string }>(
    `select concat_ws(' ', day, currency, trim_scale(units_per_euro)) as line
     from ledger.euro_reference_rates order by day, currency`,
  );
  return rows.map(({ line }) => line);
}
const PUBLISHED = ['2026-07-13 USD 1.1702', '2026-07-14 GBP 0.86467', '2026-07-14 USD 1.174'];

/** Which rows hold the rates of other days and currencies than the dollar's of 14 July, and who wrote them. */
async function otherRates(): Promise<readonly unknown[]> {
  const { rows } = await owner.query(
    "select xmin, day, currency from ledger.euro_reference_rates where (day, currency) <> ('2026-07-14', 'USD')",
  );
  return rows;
}

/** A file with this rate of the dollar on each of 101 days from 1 January 2026 on. */
function hundredDaysAndOne(rate: string): string {
  const days = Array.from({ length: 101 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)));
  return `Date,USD\n${days.map((day) => `${day.toISOString().slice(0, 10)},${rate}\n`).join('')}`;
}

describe('an import', () => {
  it('adds new rates, and does nothing a second time', async () => {
    expect(await take(JULY)).toEqual({ added: 3, unchanged: 0, revised: [] });
    expect(await published()).toEqual(PUBLISHED);
    const { rows } = await owner.query('select xmin, day, currency from ledger.euro_reference_rates');
    expect(await take(JULY)).toEqual({ added: 0, unchanged: 3, revised: [] });
    expect((await owner.query('select xmin, day, currency from ledger.euro_reference_rates')).rows).toEqual(
      rows,
    );
  });

  it('adds later days, earlier ones, other currencies, and a rate that was not out yet', async () => {
    await take(JULY);
    const more =
      'Date,USD,GBP,CHF\n2026-07-15,1.1,0.9,0.95\n2026-07-14,1.174,0.86467,N/A\n2026-07-13,1.1702,0.86,0.94\n2026-07-10,1.2,N/A,N/A\n';
    // USD and GBP of the 15th, CHF of the 15th and 13th, GBP of the 13th, USD of the 10th.
    expect(await take(more)).toEqual({ added: 6, unchanged: 3, revised: [] });
  });

  it('leaves alone the days outside a file, and currencies without a column', async () => {
    await take(JULY);
    expect(await take('Date,USD\n2026-07-14,1.1740\n')).toEqual({ added: 0, unchanged: 1, revised: [] });
    expect(await published()).toEqual(PUBLISHED);
  });

  it('takes 1.174 for 1.1740', async () => {
    await take(JULY);
    expect(await take('Date,USD\n2026-07-14,1.174\n')).toMatchObject({ added: 0, unchanged: 1 });
  });
});

describe('a rate far from the thirty days before it', () => {
  const thirty = hundredDaysAndOne('1.2').split('\n').slice(0, 31).join('\n');
  // The thirty-first day; three times the median of 1.2 is 3.6.
  const inverse = `${thirty}\n2026-01-31,0.0059\n`;

  it('refuses the file with both figures, and imports nothing', async () => {
    await expect(take(inverse)).rejects.toMatchObject({
      code: 'rates_implausible',
      message:
        'The file has 1 rate far from the days before. USD of 2026-01-31 is 0.0059 for a euro, expected about 1.2, the median of 30 published days; nothing was imported.',
      hint: 'Compare with the source. If the rate is right, import with --accept-rate USD=2026-01-31.',
      data: { count: 1, implausible: [{ day: '2026-01-31', currency: 'USD', median: '1.2' }] },
    });
    expect(await published()).toEqual([]);
  });

  it('is judged beside stored days too, and a revision is judged as a new rate is', async () => {
    await take(`${thirty}\n2026-01-31,1.3\n`);
    await expect(take('Date,USD\n2026-02-01,12\n')).rejects.toMatchObject({ code: 'rates_implausible' });
    await expect(take('Date,USD\n2026-01-31,13\n', true)).rejects.toMatchObject({
      code: 'rates_implausible',
    });
    expect(await published()).toContain('2026-01-31 USD 1.3');
  });

  it('is taken once a person accepts it, and is not judged again', async () => {
    const accepted = [{ day: '2026-01-31', currency: 'USD' }];
    const choices = { revise: false, accepted };
    const read = readReferenceRates(Buffer.from(inverse));
    expect(await importRates(owner, read, choices)).toMatchObject({ added: 31 });
    expect(await take(inverse)).toMatchObject({ added: 0, unchanged: 31 });
  });

  it('does not let one accepted rate carry another, and names an accepted rate that the file lacks', async () => {
    const two = readReferenceRates(Buffer.from(`${inverse}2026-02-01,0.0059\n`));
    const accepting = (day: string) =>
      importRates(owner, two, { revise: false, accepted: [{ day, currency: 'USD' }] });
    await expect(accepting('2026-01-31')).rejects.toMatchObject({ data: { count: 1 } });
    await expect(accepting('2026-02-02')).rejects.toMatchObject({
      code: 'usage_invalid',
      message: '--accept-rate names USD of 2026-02-02, and the file has no such rate; nothing was imported.',
    });
  });
});

it('an import refuses a column of a currency that does not exist, and imports nothing', async () => {
  await expect(take('Date,USD,XYZ,GBP,ZZZ\n2026-07-14,1.1740,1,0.86,2\n')).rejects.toMatchObject({
    code: 'rates_rejected',
    message:
      'The header of the file of rates names XYZ, ZZZ, expected ISO 4217 currency codes; nothing was imported.',
    data: {
      faults: [
        { line: 1, column: 'XYZ', value: 'XYZ', expected: 'an ISO 4217 currency code' },
        { line: 1, column: 'ZZZ', value: 'ZZZ', expected: 'an ISO 4217 currency code' },
      ],
    },
  });
  expect(await published()).toEqual([]);
});

describe('a file that contradicts what was published', () => {
  const CHANGED = 'Date,USD,GBP\n2026-07-15,1.1,0.9\n2026-07-14,1.1741,N/A\n';
  const changes = [
    { day: '2026-07-14', currency: 'GBP', published: '0.8646700000', found: null },
    { day: '2026-07-14', currency: 'USD', published: '1.1740000000', found: '1.1741000000' },
  ];

  it('is refused as a whole with every change: its new days are not imported either', async () => {
    await take(JULY);
    await expect(take(CHANGED)).rejects.toMatchObject({
      code: 'rates_changed',
      exitCode: 1,
      message:
        'The file contradicts 2 published rates, the first: GBP of 2026-07-14 is 0.8646700000, the file has none; nothing was imported.',
      data: { changed: changes, count: 2 },
    });
    expect(await published()).toEqual(PUBLISHED);
  });

  it('is imported with --revise: changed rates replaced, missing rates deleted, new rates added', async () => {
    await take(JULY);
    expect(await take(CHANGED, true)).toEqual({ added: 2, unchanged: 0, revised: changes });
    expect(await published()).toEqual([
      '2026-07-13 USD 1.1702',
      '2026-07-14 USD 1.1741',
      '2026-07-15 GBP 0.9',
      '2026-07-15 USD 1.1',
    ]);
  });

  it('is taken over only where it differs: other rates are not written, nor other currencies removed', async () => {
    await take(JULY);
    const before = await otherRates();
    expect(before).toHaveLength(2);
    const changed = await take('Date,USD\n2026-07-14,1.1741\n2026-07-13,1.1702\n', true);
    expect(changed).toEqual({ added: 0, unchanged: 1, revised: [changes[1]] });
    expect(await otherRates()).toEqual(before);
  });

  it.each(['2026-07-13', '2026-07-14', '2026-07-15'])(
    'lacks a rate on %s that was published',
    async (gone) => {
      const lines = ['2026-07-15,1.1', '2026-07-14,1.2', '2026-07-13,1.3'];
      await take(`Date,USD\n${lines.join('\n')}\n`);
      const without = lines.map((line) => (line.startsWith(gone) ? `${gone},N/A` : line));
      await expect(take(`Date,USD\n${without.join('\n')}\n`)).rejects.toMatchObject({
        data: { count: 1, changed: [{ day: gone, currency: 'USD', found: null }] },
      });
    },
  );

  it('is reported with at most a hundred of its changes and the number of all', async () => {
    await take(hundredDaysAndOne('1.1'));
    const refused: unknown = await take(hundredDaysAndOne('1.2')).catch((error: unknown) => error);
    expect(refused).toMatchObject({ data: { count: 101 } });
    expect((refused as { data: { changed: unknown[] } }).data.changed).toHaveLength(100); // as matched above
  });

  it('skips a day between its first and its last', async () => {
    await take('Date,USD\n2026-07-15,1.1\n2026-07-14,1.2\n2026-07-13,1.3\n');
    await expect(take('Date,USD\n2026-07-15,1.1\n2026-07-13,1.3\n')).rejects.toMatchObject({
      data: { changed: [{ day: '2026-07-14', currency: 'USD', published: '1.2000000000', found: null }] },
    });
  });
});

it('an import waits for another import of the same days, then finds its rates or contradicts them', async () => {
  const [first, second, watcher] = await Promise.all([
    database.client('cf_owner'),
    database.client('cf_owner'),
    database.admin(),
  ]);
  await first.query('begin; lock table ledger.euro_reference_rates in share row exclusive mode');
  await first.query("insert into ledger.euro_reference_rates values ('2026-07-14', 'USD', 1.174)");
  const [ahead, behind] = [await processOf(first), await processOf(second)];
  const waiting = outcomeOf(take(JULY, false, second));
  expect(await blockersOf(watcher, behind)).toEqual([ahead]);
  await first.query('commit');
  expect(await waiting).toEqual({ added: 2, unchanged: 1, revised: [] });

  await first.query('begin; lock table ledger.euro_reference_rates in share row exclusive mode');
  await first.query("insert into ledger.euro_reference_rates values ('2026-07-10', 'USD', 1.5)");
  const contradicting = outcomeOf(take('Date,USD\n2026-07-10,1.6\n', false, second));
  expect(await blockersOf(watcher, behind)).toEqual([ahead]);
  await first.query('commit');
  expect(await contradicting).toMatchObject({ code: 'rates_changed', data: { count: 1 } });
  expect(await published()).toEqual(['2026-07-10 USD 1.5', ...PUBLISHED]);
});
