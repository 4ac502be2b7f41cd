/** How search matches and ranks, in one account whose every row is there for a case below. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SearchType, SEARCH_TYPES, searchAccount } from '../../../src/ledger/lists/search.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import {
  type Founded,
  addCost,
  addInitiative,
  foundAccount,
  inAccount,
  insert,
} from '../../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let reader: Client;
let home: Founded;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
  home = await foundAccount(owner);
  const { account } = home;
  const initiatives: readonly (readonly [string, string?])[] = [
    ['Receipt'],
    ['Receipt matching'],
    ['Receipts'],
    ['Match receipts', 'Proposes an order for each receipt'],
    ['Archive', 'Keeps every RECEIPT, for ten years'],
    ['Zürich façade'],
    ['Straße & Søn'],
    ['Order 1234'],
    ['Учёт времени'],
    ['100% coverage'],
    ['1000 visits'],
    ['under_score'],
    ['underscore'],
  ];
  for (const [title, description = null] of initiatives) {
    await addInitiative(owner, account, { title, description });
  }
  await owner.query(`
    insert into ledger.platforms (key, name, category) values ('ledgerly', 'Ledgerly', 'finance'), ('quillcard', 'Quillcard', 'cards');
    insert into ledger.platform_guides (platform_key, connection_method, steps, page_path) values ('quillcard', 'oauth', '1', '/integrations/quillcard');
    insert into ledger.application_pages (path, title, description) values ('/periods', 'Month close', 'Lock accounting months');
    insert into ledger.initiative_templates (key, title, category) values ('defects', 'Visual defect inspection', 'quality');
    insert into ledger.help_articles (slug, title, summary, body, published, generated) values
      ('roi', 'What ROI means', 'Cash against freed capacity', 'unsearched', true, false),
      ('columns', 'Columns of every table', null, '-', true, true)`);
  await insert(owner, 'ledger.metrics', {
    account_id: account,
    metric_key: 'quotes.minutes',
    name: 'Minutes per quote',
  });
  const named = { account_id: account, status: 'active' };
  await insert(owner, 'ledger.connections', {
    ...named,
    platform_key: 'ledgerly',
    name: 'Books of the group',
  });
  await insert(owner, 'ledger.connections', { ...named, platform_key: 'ledgerly' });
  await insert(owner, 'ledger.assessments', { ...named, title: 'Readiness of sales' });
  await addCost(owner, home, { vendor_name: 'Halden Optics' });
});
afterAll(() => database.drop());

const ask = (query: string, types: readonly SearchType[] | null = null, limit = 50) =>
  inAccount(reader, home.account, () => searchAccount(reader, { query, types, limit }));

const titles = async (query: string): Promise<readonly string[]> =>
  (await ask(query)).map(({ title }) => title);

describe('a search', () => {
  it('ranks equal titles first, then titles that begin with it, titles that contain it and details; shorter titles first', async () => {
    const hits = await ask('receipt');
    // Asked is ' receipt', 8 characters with the blank before each word, and the titles likewise: the second part of a
    // score is 8 / (8 + the title's).
    expect(hits.map(({ title, score }) => [title, score])).toEqual([
      ['Receipt', 4 + 8 / 16],
      ['Receipts', 3 + 8 / 17],
      ['Receipt matching', 3 + 8 / 25],
      ['Match receipts', 2 + 8 / 23],
      ['Archive', 1 + 8 / 16],
    ]);
  });

  it('takes words in any order, each as the beginning of one, in title and detail together', async () => {
    expect(await titles('rec mat')).toEqual(['Match receipts', 'Receipt matching']);
    expect(await titles('order receipt')).toEqual(['Match receipts']); // `order` in the detail, `receipts` in the title
    expect(await titles('ceipt')).toEqual([]); // within a word
    expect(await titles('receipt zebra')).toEqual([]);
  });

  it('puts equal hits in the order of their titles', async () => {
    // Both have 15 characters behind the blank: 2 words each, so the same part of 2 + 4 / (4 + 16).
    expect(await titles('mat')).toEqual(['Match receipts', 'Receipt matching']);
  });

  it.each([
    ['reciept', 'two letters swapped', 1 - 2 / 8],
    ['recept', 'one left out', 1 - 1 / 7],
    ['receeipt', 'one too many', 1 - 1 / 9],
    ['recript', 'a wrong one', 1 - 1 / 8],
  ])('finds %s: %s', async (query, _, score) => {
    const [best] = await ask(query, ['initiative']);
    expect(best).toMatchObject({ title: 'Match receipts', score });
    expect((await titles(query)).toSorted()).toEqual([
      'Match receipts',
      'Receipt',
      'Receipt matching',
      'Receipts',
    ]);
  });

  it('takes a slip in one word beside another that is right', async () => {
    expect(await titles('halden optcis')).toEqual(['Halden Optics']);
    expect(await titles('halden optimum')).toEqual([]);
    expect(await titles('haldne bakery')).toEqual([]);
  });

  it('adds misspelled hits only up to the limit that other hits leave', async () => {
    expect((await ask('receipts', ['initiative'], 2)).map(({ title }) => title)).toEqual([
      'Receipts',
      'Match receipts',
    ]);
    // The others lack the s: one letter of ' receipts', 9 characters.
    expect((await ask('receipts', ['initiative'], 3)).map(({ title, score }) => [title, score])[2]).toEqual([
      'Receipt',
      1 - 1 / 9,
    ]);
  });

  it('takes no number and no short word for another', async () => {
    expect(await titles('1234')).toEqual(['Order 1234']);
    expect(await titles('1243')).toEqual([]);
    expect(await titles('rio')).toEqual([]); // ROI
    expect(await titles('coulmn')).toEqual(['Columns of every table']); // two of six
    expect(await titles('monza')).toEqual([]); // month: of five, one
    expect(await titles('monts')).toEqual(['Month close']);
  });

  it('looks past case, accents and punctuation, in any script', async () => {
    expect(await titles('ZURICH facade')).toEqual(['Zürich façade']);
    expect(await titles('Zürich, (façade)')).toEqual(['Zürich façade']);
    expect(await titles('STRASSE')).toEqual(['Straße & Søn']);
    expect(await titles('учет')).toEqual(['Учёт времени']);
  });

  it('takes the signs of patterns literally', async () => {
    expect(await titles('100%')).toEqual(['1000 visits', '100% coverage']); // ' 100' begins both
    expect(await titles('%%')).toEqual([]);
    expect(await titles('__')).toEqual([]);
    expect(await titles('under_score')).toEqual(['under_score']);
    expect(await titles('r_ceipt')).toEqual([]);
    expect(await titles(String.raw`\receipt\.*`)).toContain('Receipt');
  });

  it('ends at the limit', async () => {
    expect(await ask('receipt', null, 2)).toHaveLength(2);
    expect(await ask('receipt', null, 0)).toEqual([]);
  });
});

describe('the query of a search', () => {
  it.each(['', 'a', '  a  ', 'é', 'a\0', 'x'.repeat(201)])(
    'is refused at less than 2 or more than 200 characters: %j',
    async (query) => {
      await expect(ask(query)).rejects.toMatchObject({
        code: 'parameter_refused',
        message: 'The parameter query must have 2 to 200 characters, not counting white space around it.',
      });
    },
  );

  it('may have the maximum length, of any characters', async () => {
    for (const query of [
      'ab',
      'x'.repeat(200),
      'ﷺ'.repeat(200),
      'x '.repeat(100),
      '😀'.repeat(100),
      'x\0y',
      '\uD800\uD800',
    ]) {
      expect(await ask(query)).toEqual([]);
    }
  });
});

describe('every type', () => {
  /** What finds it, and all that it then says beside its id and score. */
  const EACH: Readonly<Record<SearchType, readonly [string, object]>> = {
    initiative: ['order 1234', { title: 'Order 1234', detail: null }],
    page: ['month close', { title: 'Month close', detail: 'Lock accounting months', path: '/periods' }],
    metric: ['quotes minutes', { title: 'Minutes per quote', detail: null, path: null }],
    connection: ['books', { title: 'Books of the group', detail: 'Ledgerly', path: null }],
    platform: [
      'quillcrad',
      { id: 'quillcard', title: 'Quillcard', detail: 'cards', path: '/integrations/quillcard' },
    ],
    vendor: ['optics', { title: 'Halden Optics', detail: null, path: null }],
    person: ['ada', { title: 'Ada', detail: null, path: null }],
    template: ['inspection', { title: 'Visual defect inspection', detail: null, path: null }],
    article: ['roi', { title: 'What ROI means', detail: 'Cash against freed capacity', path: '/docs/roi' }],
    assessment: ['readiness', { title: 'Readiness of sales', detail: null, path: null }],
  };

  it.each(SEARCH_TYPES)('is found, and alone when it alone is asked for: %s', async (type) => {
    const [query, hit] = EACH[type];
    expect(await ask(query)).toContainEqual(expect.objectContaining({ type, ...hit }));
    const alone = await ask(query, [type]);
    expect(new Set(alone.map((each) => each.type))).toEqual(new Set([type]));
    const others = await ask(
      query,
      SEARCH_TYPES.filter((each) => each !== type),
    );
    expect(others.filter((each) => each.type === type)).toEqual([]);
  });

  it('finds nothing without any type', async () => {
    expect(await ask('receipt', [])).toEqual([]);
  });

  it('leads to the page of an initiative', async () => {
    const [hit] = await ask('order 1234', ['initiative']);
    expect(hit?.path).toBe(`/initiatives/${hit?.id}`);
  });

  it('shows of a long detail 300 characters', async () => {
    const id = await addInitiative(owner, home.account, {
      title: 'Long',
      description: `${'word '.repeat(100)}gazelle`,
    });
    const [hit] = await ask('gazelle');
    expect(hit).toMatchObject({ id: String(id), detail: 'word '.repeat(60) });
  });

  it('finds connections by their platform, and by it alone when they have no name', async () => {
    const found = await ask('ledgerly', ['connection']);
    expect(found.map(({ title }) => title)).toEqual(['Ledgerly', 'Books of the group']);
    expect((await ask('legderly', ['connection'])).map(({ title }) => title)).toEqual(['Ledgerly']);
  });

  it('includes the generated reference pages', async () => {
    expect(await ask('columns')).toMatchObject([{ type: 'article', path: '/docs/columns' }]);
  });
});
