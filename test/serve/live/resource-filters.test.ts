import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatInstant } from '../../../src/time.ts';
import { RESOURCES } from '../../../src/serve/resources/all.ts';
import { inAccount } from '../../support/ledger-rows.ts';
import { type LiveCompany, openLive } from './live-company.ts';
import { expectedIds, expectedOf, walkedIds } from './listed-rows.ts';

let company: LiveCompany;
let owner: Client;
beforeAll(async () => {
  company = await openLive();
  owner = await company.database.client('cf_owner');
  // The bills of the company name one initiative only.
  await inAccount(owner, 1n, () =>
    owner.query('update ledger.usage set initiative_id = 102 where id = 1504'),
  );
});
afterAll(() => company.close());

const METRIC =
  '(select m.metric_key from ledger.metrics m where m.account_id = t.account_id and m.id = t.metric_id)';

/** What a filter compares, in SQL on the base table, where it is a plain equality. */
const COMPARED: Readonly<Record<string, string>> = {
  initiative_id: 'initiative_id',
  metric_key: METRIC,
  outcome: 'outcome',
  platform: 'platform_key',
  status: 'status',
};

const comparedBy = (name: string, filter: string): string | undefined =>
  name === 'budgets' && filter === 'initiative_id' ? 'id' : COMPARED[filter];

/** Every value that the rows of a list have there. */
async function valuesOf(name: string, compared: string): Promise<readonly string[]> {
  const { table, visible } = expectedOf(name);
  const { rows } = await owner.query<{ value: string }>(
    `select distinct (${compared})::text as value from ledger.${table} t
     where account_id = 1 and ${visible} and (${compared}) is not null order by 1`,
  );
  return rows.map(({ value }) => value);
}

const bodyOf = async (path: string): Promise<unknown> => (await company.ask(path)).body;
const refused = (message: string) => ({ error: { status: 400, message } });

/** The lists that take a filter. */
const taking = (filter: string) => RESOURCES.filter(({ filters }) => filter in filters);

const EQUALITIES = RESOURCES.flatMap(({ name, filters }) =>
  Object.keys(filters).flatMap((filter) => {
    const compared = comparedBy(name, filter);
    return compared === undefined ? [] : [{ name, filter, compared }];
  }),
);

it.each(EQUALITIES)(
  'the list $name narrowed by $filter holds the rows with that value, for any value',
  async ({ name, filter, compared }) => {
    const values = await valuesOf(name, compared);
    expect(values.length).toBeGreaterThan(1);
    for (const value of values) {
      const expected = await expectedIds(owner, name, `(${compared})::text = '${value}'`);
      expect([value, await walkedIds(company, `/${name}?${filter}=${value}&limit=7`)]).toEqual([
        value,
        expected,
      ]);
    }
  },
);

describe.each(taking('updated_since'))('the list $name', ({ name }) => {
  it('narrowed by updated_since holds rows that changed then or later, the very microsecond included', async () => {
    const { table, visible } = expectedOf(name);
    const { rows } = await owner.query<{ updated_at: bigint }>(
      `select updated_at from ledger.${table} t where account_id = 1 and ${visible} order by updated_at`,
    );
    const at = rows[Math.floor(rows.length / 2)]?.updated_at ?? 0n;
    const all = await expectedIds(owner, name);
    for (const [since, less] of [
      [at, 0],
      [at + 1n, 1],
      [0n, null],
    ] as const) {
      const from = less === null ? 0 : rows.findIndex(({ updated_at }) => updated_at === at) + less;
      const moment = formatInstant(since);
      expect(await walkedIds(company, `/${name}?updated_since=${moment}&limit=3`)).toEqual(all.slice(from));
    }
  });

  it('reads updated_since with any offset', async () => {
    const all = await expectedIds(owner, name);
    expect(await walkedIds(company, `/${name}?updated_since=2001-01-01T00:00:00%2B14:00`)).toEqual(all);
    expect(await walkedIds(company, `/${name}?updated_since=2199-12-31t23:59:59.999999-12:00`)).toEqual([]);
  });
});

describe.each(taking('include_sample'))('the list $name', ({ name }) => {
  it('holds samples only when they are asked for', async () => {
    const all = await expectedIds(owner, name, 'true', { samples: true });
    const without = await expectedIds(owner, name);
    expect(all.length).toBeGreaterThan(without.length);
    expect(await walkedIds(company, `/${name}?include_sample=true&limit=5`)).toEqual(all);
    expect(await walkedIds(company, `/${name}?include_sample=false&limit=5`)).toEqual(without);
  });
});

describe.each(taking('include_sample').filter(({ filters }) => 'initiative_id' in filters))(
  'the list $name',
  ({ name }) => {
    it('of a sample initiative is there only when samples are asked for', async () => {
      const { rows } = await owner.query<{ id: bigint }>(
        'select id from ledger.initiatives where account_id = 1 and is_sample',
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const { id } of rows) {
        const query = `initiative_id=${id}`;
        const column = comparedBy(name, 'initiative_id') ?? '';
        const expected = await expectedIds(owner, name, `${column} = ${id}`, { samples: true });
        expect((await company.ask(`/${name}?${query}`)).status).toBe(404);
        expect(await walkedIds(company, `/${name}?${query}&include_sample=true`)).toEqual(expected);
      }
    });
  },
);

describe.each(taking('period_from'))('the list $name', ({ name }) => {
  // Days in the middle of months, both ends alone and together, with and without another filter.
  it.each([
    ['period_from=2025-04-01', "period_start >= '2025-04-01'"],
    ['period_from=2025-04-02', "period_start >= '2025-04-02'"],
    ['period_to=2025-04-01', "period_start <= '2025-04-01'"],
    ['period_to=2025-03-31', "period_start <= '2025-03-31'"],
    ['period_from=2025-01-15&period_to=2026-02-14', "period_start between '2025-01-15' and '2026-02-14'"],
    ['period_from=2026-02-01&period_to=2026-01-01', 'false'],
    ['period_from=0001-01-01', 'period_start is not null'],
    ['period_to=9999-12-31', 'period_start is not null'],
    ['period_from=2025-01-01&initiative_id=101', "period_start >= '2025-01-01' and initiative_id = 101"],
  ])(
    'narrowed by %s contains entries whose period begins there, and none without a period',
    async (query, sql) => {
      expect(await walkedIds(company, `/${name}?${query}&limit=3`)).toEqual(
        await expectedIds(owner, name, sql),
      );
    },
  );

  it('narrowed by days holds samples only when they are asked for', async () => {
    const dated = await expectedIds(owner, name, 'period_start is not null', { samples: true });
    const query = 'period_from=1990-01-01&include_sample=true';
    expect(await walkedIds(company, `/${name}?${query}`)).toEqual(dated);
    expect(dated.length).toBeGreaterThan((await expectedIds(owner, name, 'period_start is not null')).length);
  });
});

describe.each(taking('initiative_id'))('the list $name', ({ name }) => {
  it('answers a foreign, an unknown, a deleted and a sample initiative with the same 404', async () => {
    await owner.query(
      "insert into ledger.initiatives (account_id, id, title, stage) values (1, 990, 'Gone', 'live')",
    );
    await owner.query('delete from ledger.initiatives where account_id = 1 and id = 990');
    const { rows } = await owner.query<{ foreign: bigint; sample: bigint }>(
      `select (select min(id) from ledger.initiatives i where account_id = 2
                   and id not in (select id from ledger.initiatives where account_id = 1)) as foreign,
                (select min(id) from ledger.initiatives where account_id = 1 and is_sample) as sample`,
    );
    const ids = [rows[0]?.foreign, 9_007_199_254_740_991n, 990n, rows[0]?.sample];
    for (const id of ids) {
      expect(await company.ask(`/${name}?initiative_id=${id}`)).toEqual({
        status: 404,
        body: { error: { status: 404, message: 'There is no such record in this account.' } },
      });
    }
  });
});

describe.each(RESOURCES)('the list $name', ({ name, filters }) => {
  const names = Object.keys(filters);

  it.each([
    ['limit', ['0', '-1', '501', '1.5', '1e2', '', ' 1', '01x', '0x10']],
    ['cursor', ['', 'x', '%00']],
    [
      'updated_since',
      ['2026-01-01', 'now', '', '2026-02-30T00:00:00Z', '1767225600', '2026-01-01T00:00:00+01:00'],
    ],
    ['initiative_id', ['0', '-1', 'abc', '1.0', '9007199254740992', '99999999999999999999', '']],
    ['include_sample', ['TRUE', '1', 'yes', '']],
    ['period_from', ['2026-02-30', '2026-1-1', '0000-01-01', '2026-01-01T00:00:00Z', '']],
    ['period_to', ['2026-13-01', 'today', '']],
    ['status', ['Approved', 'approved,draft', 'none', '']],
    ['outcome', ['CONTINUE', 'stop', '']],
    ['platform', ['Open AI', '%00', "'", '']],
    ['metric_key', ['A', '%00', 'a%20b', '']],
    ['budgeted', ['1', '']],
  ])('refuses a malformed or unknown %s, naming it without repeating its value', async (filter, values) => {
    const takes = ['limit', 'cursor', ...names].includes(filter);
    for (const value of values) {
      const { status, body } = await company.ask(`/${name}?${filter}=${value}`);
      const { message } = (body as { error: { message: string } }).error;
      expect([value, status]).toEqual([value, 400]);
      expect(message).toMatch(
        takes
          ? new RegExp(`^The parameter ${filter} (?:must be|does not belong).*\\.$`)
          : `This route does not accept the parameter "${filter}".`,
      );
      expect(value.length > 3 && message.includes(decodeURIComponent(value))).toBe(false);
    }
  });

  it('refuses an unknown parameter, and a repeated parameter', async () => {
    for (const unknown of ['window', 'Limit', '__proto__', 'constructor', 'limit[]', '']) {
      const message = `This route does not accept the parameter "${unknown}".`;
      expect(await bodyOf(`/${name}?${unknown}=1`)).toEqual(refused(message));
    }
    for (const twice of ['limit', 'cursor', ...names]) {
      expect(await bodyOf(`/${name}?${twice}=1&${twice}=1`)).toEqual(
        refused(`The parameter ${twice} was given more than once.`),
      );
    }
  });
});
