/** What search shows to whom: two accounts with the same names in them, and rows that no search may show. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchAccount } from '../../../src/ledger/lists/search.ts';
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
let first: Founded;
let second: Founded;

/** One of everything that an account has, each named Heron, and the ids by type. */
async function fill(home: Founded): Promise<Readonly<Record<string, bigint>>> {
  const of = { account_id: home.account };
  const person = await insert(owner, 'ledger.users', { name: 'Heron' });
  await insert(owner, 'ledger.memberships', { ...of, user_id: person, role: 'member' });
  const metric = { ...of, metric_key: 'heron', name: 'Heron' };
  const connection = { ...of, platform_key: 'ledgerly', status: 'active', name: 'Heron' };
  await addCost(owner, home, { vendor_name: 'Heron' });
  const vendors = await owner.query<{ id: bigint }>(
    `select id from ledger.vendors where account_id = $1 and name = 'Heron'`,
    [home.account],
  );
  return {
    initiative: await addInitiative(owner, home.account, { title: 'Heron' }),
    metric: await insert(owner, 'ledger.metrics', metric),
    connection: await insert(owner, 'ledger.connections', connection),
    vendor: vendors.rows[0]?.id ?? 0n,
    person,
    assessment: await insert(owner, 'ledger.assessments', { ...of, title: 'Heron', status: 'active' }),
  };
}

let own: Readonly<Record<string, bigint>>;
let others: Readonly<Record<string, bigint>>;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
  await owner.query(
    `insert into ledger.platforms (key, name, category) values ('ledgerly', 'Ledgerly', 'finance'), ('heronic', 'Heronic', 'x')`,
  );
  first = await foundAccount(owner);
  second = await foundAccount(owner);
  own = await fill(first);
  others = await fill(second);
});
afterAll(() => database.drop());

const ask = (query: string, { account } = first) =>
  inAccount(reader, account, () => searchAccount(reader, { query, types: null, limit: 50 }));

const ids = async (query: string, home = first) =>
  Object.fromEntries((await ask(query, home)).map(({ type, id }) => [type, BigInt(id)]));

/** Does something to the ledger and undoes it after the look. */
async function searchAfter(query: string, ...statements: readonly string[]) {
  await owner.query('begin');
  try {
    for (const statement of statements) await owner.query(statement);
    await owner.query(`set local app.account_id = '${first.account}'`);
    return (await searchAccount(owner, { query, types: null, limit: 50 })).map(
      ({ type, id }) => `${type} ${id}`,
    );
  } finally {
    await owner.query('rollback');
  }
}

const after = async (...statements: readonly string[]): Promise<readonly string[]> =>
  (await searchAfter('heron', ...statements)).toSorted();

const article = (published: boolean): string =>
  `insert into ledger.help_articles (id, slug, title, body, published) overriding system value
   values (7, 'nest', 'Building a nest', 'x', ${published})`;

describe('the account of a search', () => {
  it.each(['heron', 'herron', 'her'])('is the account named by the transaction: %s', async (query) => {
    const found = async (home: Founded) => (await ask(query, home)).filter(({ type }) => type !== 'platform');
    expect((await ask(query)).map(({ type }) => type).toSorted()).toEqual(
      [...Object.keys(own), 'platform'].toSorted(),
    );
    expect((await found(first)).every(({ type, id }) => own[type] === BigInt(id))).toBe(true);
    expect((await found(second)).every(({ type, id }) => others[type] === BigInt(id))).toBe(true);
    expect(await found(second)).toHaveLength(Object.keys(others).length);
  });

  it('A-34: gives the same scores for any content of other accounts', async () => {
    const before = await ask('heron');
    await owner.query('begin');
    await owner.query(
      `insert into ledger.initiatives (account_id, title, stage) select $1, 'Heron', 'live' from generate_series(1, 500)`,
      [second.account],
    );
    await owner.query('commit');
    expect(await ask('heron')).toEqual(before);
  });

  it.each(['0', '-1'])('finds only public records without an account: %s', async (account) => {
    const other = { ...first, account: BigInt(account) };
    expect((await ask('heron', other)).map(({ type }) => type)).toEqual(['platform']);
  });

  it('must be named', async () => {
    const unnamed = { code: '42501', message: 'a search must name its account' };
    const question = { query: 'heron', types: null, limit: 50 };
    await expect(searchAccount(reader, question)).rejects.toMatchObject(unnamed);
    await reader.query(`begin; set local app.account_id = ''`);
    await expect(searchAccount(reader, question)).rejects.toMatchObject(unnamed);
    await reader.query('rollback');
  });

  it('cannot be changed by an argument', async () => {
    for (const query of [
      `heron' or account_id = ${second.account} --`,
      `'); set local app.account_id = '${second.account}'; --`,
      `heron"; select * from ledger.initiatives; --`,
      '$1 $$ heron $$',
      "heron%' union select * from vault.user_emails --",
    ]) {
      const found = await ids(query);
      expect(Object.entries(found).filter(([type, id]) => type !== 'platform' && own[type] !== id)).toEqual(
        [],
      );
    }
    const types = ["initiative' or true --", 'vault.user_emails'] as unknown as 'initiative'[];
    const found = await inAccount(reader, first.account, () =>
      searchAccount(reader, { query: 'heron', types, limit: 5 }),
    );
    expect(found).toEqual([]);
  });
});

describe('the function', () => {
  it('can be called by the reader only, and its parts by no role', async () => {
    const calls = [
      `select service.search('heron', '{initiative}', 5)`,
      `select service.resembles('a', 'b')`,
      `select service.edits('a', 'b')`,
      `select service.slips('a')`,
    ];
    for (const role of ['cf_reader', 'cf_writer', 'cf_service', 'cf_backup'] as const) {
      const session = await database.client(role);
      const refused: string[] = [];
      for (const call of calls) {
        await inAccount(session, first.account, () => session.query(call)).catch(
          ({ code }: { code: string }) => refused.push(code),
        );
      }
      expect([role, refused]).toEqual([
        role,
        Array.from({ length: role === 'cf_reader' ? 3 : 4 }, () => '42501'),
      ]);
    }
  });
});

describe('A-34: the records that a search hides', () => {
  const all = ['assessment', 'connection', 'initiative', 'metric', 'person', 'vendor'] as const;
  const without = (...gone: readonly string[]) =>
    [
      'platform heronic',
      ...all.filter((type) => !gone.includes(type)).map((type) => `${type} ${own[type]}`),
    ].toSorted();

  it('are all in the ledger', async () => {
    expect(await after()).toEqual(without());
  });

  it('are samples, and vendors and assessments that only samples name', async () => {
    const sample = `update ledger.initiatives set is_sample = true where account_id = ${first.account}`;
    const assessed = `update ledger.assessments set initiative_id = ${own['initiative']} where id = ${own['assessment']}`;
    expect(await after(assessed)).toEqual(without());
    expect(await after(assessed, sample)).toEqual(without('initiative', 'vendor', 'assessment'));
  });

  it('are vendors without a cost', async () => {
    expect(await after(`delete from ledger.cost_entries where vendor_id = ${own['vendor']}`)).toEqual(
      without('vendor'),
    );
  });

  it('are assessments that are not active', async () => {
    for (const status of ['draft', 'closed']) {
      expect(await after(`update ledger.assessments set status = '${status}'`)).toEqual(
        without('assessment'),
      );
    }
  });

  it('are people who left, or are of another account', async () => {
    expect(
      await after(`update ledger.memberships set removed_at = now() where user_id = ${own['person']}`),
    ).toEqual(without('person'));
  });

  it('are e-mail addresses', async () => {
    await owner.query(`insert into vault.user_emails (user_id, email) values ($1, 'kestrel@nest.example')`, [
      own['person'],
    ]);
    for (const query of ['kestrel', 'nest.example', 'kestrel@nest.example'])
      expect(await ids(query)).toEqual({});
  });

  it('are platforms that are connected; a disconnected one is there to be connected again', async () => {
    const connect = (status: string) =>
      `insert into ledger.connections (account_id, platform_key, name, status) values (${first.account}, 'heronic', 'Other', '${status}')`;
    for (const status of ['active', 'paused', 'error']) {
      expect((await after(connect(status))).filter((found) => found.startsWith('platform'))).toEqual([]);
    }
    expect(await after(connect('disconnected'))).toContain('platform heronic');
    expect(await after(connect('active').replace(String(first.account), String(second.account)))).toContain(
      'platform heronic',
    );
  });

  it('are articles before they are published', async () => {
    expect(await searchAfter('nest', article(false))).toEqual([]);
    expect(await searchAfter('nest', article(true))).toEqual(['article 7']);
  });
});

describe('a merged vendor', () => {
  it('is found under its old name as the one it was merged into', async () => {
    await addCost(owner, first, { vendor_name: 'Egret Ltd' });
    await owner.query(
      `update ledger.vendors set merged_into_id = $1 where account_id = $2 and name = 'Egret Ltd'`,
      [own['vendor'], first.account],
    );
    const [hit, ...rest] = await ask('egret');
    // One word of the detail: ' egret' has 6 characters, ' heron' 6.
    expect(hit).toEqual({
      type: 'vendor',
      id: String(own['vendor']),
      title: 'Heron',
      detail: 'Egret Ltd',
      path: null,
      score: 1 + 6 / 12,
    });
    expect(rest).toEqual([]);
    expect((await ask('heron')).filter(({ type }) => type === 'vendor')).toMatchObject([
      { id: String(own['vendor']), detail: null },
    ]);
  });
});
