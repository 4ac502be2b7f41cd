import { assert, asyncProperty, bigInt, integer } from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SeedRequest, seedAccount, hasSharedRows } from '../../tools/seed/seed-account.ts';
import { type BuildHarness, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

const SMALL: SeedRequest = { rows: 400, initiatives: 40, years: 2, inputs: 1_000, seed: 7n };
// Where its rows end with the rates that the fixtures have; a year is enough for the cheaper tests.
const SMALLEST: SeedRequest = { rows: 100, initiatives: 20, years: 1, inputs: 100, seed: 7n };

async function generated(owner: Client, request: SeedRequest): Promise<bigint> {
  return seedAccount(owner, request, () => undefined);
}

/** The tables whose rows belong to an account. */
async function accountTables(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'ledger' and column_name = 'account_id' and table_name not in ('account_gates', 'usage_rests') order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** A digest of each table's rows of the account, the times of their last change left out. */
async function digests(owner: Client, account: bigint): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const table of await accountTables(owner)) {
    const { rows } = await owner.query<{ digest: string }>(
      `select md5(string_agg((to_jsonb(t) - 'updated_at')::text, ',' order by t.id)) as digest
       from ledger.${table} t where account_id = $1`,
      [account],
    );
    found[table] = rows[0]?.digest ?? '';
  }
  return found;
}

describe('a generated account', () => {
  let database: TestDatabase;
  let owner: Client;
  let account: bigint;
  beforeAll(async () => {
    database = await createDatabase('template_company');
    owner = await database.client('cf_owner');
    account = await generated(owner, SMALL);
  });
  afterAll(() => database.drop());

  async function one(sql: string): Promise<unknown> {
    const { rows } = await owner.query<{ found: unknown }>(sql, [account]);
    return rows[0]?.found;
  }

  it('has rows in every table of an account', async () => {
    const empty: string[] = [];
    for (const table of await accountTables(owner)) {
      if ((await one(`select count(*) as found from ledger.${table} where account_id = $1`)) === 0n)
        empty.push(table);
    }
    expect(empty).toEqual([]);
  });

  it('has as many costs, value entries, initiatives and inputs as were asked for', async () => {
    expect(await one('select count(*) as found from ledger.cost_entries where account_id = $1')).toBe(400n);
    expect(await one('select count(*) as found from ledger.value_entries where account_id = $1')).toBe(400n);
    expect(await one('select count(*) as found from ledger.initiatives where account_id = $1')).toBe(40n);
    expect(
      await one(
        `select count(*) as found from ledger.value_entries, jsonb_object_keys(input_snapshot::jsonb -> 'inputs')
         where account_id = $1`,
      ),
    ).toBe(1_000n);
  });

  it.each([
    ['initiatives', 'stage', 8],
    ['initiatives', 'is_sample', 2],
    ['value_entries', 'status', 6],
    ['value_entries', "coalesce(entry_type, 'none')", 6],
    ['value_entries', 'source_type', 5],
    ['value_entries', 'formula_version_id is null', 2],
    ['value_entries', 'period_start is null', 2],
    ['value_entries', "status = 'approved' and usd_amount_cents is null", 2],
    ['cost_entries', 'source_type', 6],
    ['cost_entries', 'cost_category', 2],
    ['cost_entries', 'sign(amount_cents)', 3],
    ['cost_entries', 'period_start is null', 2],
    ['cost_entries', 'usd_rate_provisional', 2],
    ['cost_entries', "currency = 'USD' or usd_rate is not null", 2],
    ['cost_entries', 'vendor_id is null', 2],
    ['approval_decisions', 'decision', 5],
    ['approval_decisions', 'source', 6],
    ['approval_decisions', 'initiative_id is null', 2],
    ['portfolio_decisions', 'outcome', 5],
    ['budget_versions', 'status', 4],
    ['budget_versions', 'opex_cadence', 3],
    ['observations', 'source_type', 7],
    ['observations', "coalesce(baseline_method, 'none')", 6],
    ['documents', 'kind', 5],
    ['accounting_months', 'status', 4],
    ['vendors', 'merged_into_id is null', 2],
  ])('has in %s every kind of %s', async (table, kind, kinds) => {
    expect(
      await one(`select count(distinct ${kind}) as found from ledger.${table} where account_id = $1`),
    ).toBe(BigInt(kinds));
  });

  it('has costs at the very rates of the conversion', async () => {
    expect(
      await one(
        `select count(*) as found from ledger.cost_entries c
         cross join lateral service.cost_rate(c.currency, c.period_start, c.period_end, (c.created_at at time zone 'UTC')::date,
           (select max(day) from ledger.euro_reference_rates)) as rate
         where c.account_id = $1 and c.currency <> 'USD'
           and (c.usd_rate, c.usd_rate_from, c.usd_rate_through, c.usd_rate_provisional)
             is distinct from (rate.usd_rate, rate.usd_rate_from, rate.usd_rate_through, rate.usd_rate_provisional)
           and (c.usd_rate is not null or rate.usd_rate is not null)`,
      ),
    ).toBe(0n);
  });

  it('leaves the next ids free', async () => {
    const { rows } = await owner.query<{ id: bigint }>(
      `insert into ledger.vendors (account_id, name) values ($1, 'One more') returning id`,
      [account],
    );
    expect(rows[0]?.id).toBeGreaterThan(12n); // 10 + 40 initiatives ÷ 20 vendors are there
  });

  it('stands beside what was there', async () => {
    expect(account).toBe(
      ((await one('select max(id) as found from ledger.accounts where id < $1')) as bigint) + 1n,
    );
  });
});

it('a seeded account has the same rows from the same seed and others from another', async () => {
  const [first, second] = await Promise.all([
    createDatabase('template_company'),
    createDatabase('template_company'),
  ]);
  try {
    const one = await first.client('cf_owner');
    const other = await second.client('cf_owner');
    const account = await generated(one, SMALLEST);
    expect(await generated(other, SMALLEST)).toBe(account);
    const rows = await digests(one, account);
    expect(await digests(other, account)).toEqual(rows);
    const different = await digests(one, await generated(one, { ...SMALLEST, seed: 8n }));
    expect(different['cost_entries']).not.toBe(rows['cost_entries']);
    expect(different['value_entries']).not.toBe(rows['value_entries']);
  } finally {
    await Promise.all([first.drop(), second.drop()]);
  }
});

it('a seeded account has the same rows from two sessions as from one', async () => {
  const [first, second] = [
    await createDatabase('template_company'),
    await createDatabase('template_company'),
  ];
  try {
    const one = await first.client('cf_owner');
    const [other, helper] = [await second.client('cf_owner'), await second.client('cf_owner')];
    const account = await generated(one, SMALL);
    expect(await seedAccount(other, SMALL, () => undefined, [helper])).toBe(account);
    expect(await digests(other, account)).toEqual(await digests(one, account));
  } finally {
    await first.drop();
    await second.drop();
  }
});

it('a seeded account leaves no row when its second session fails', async () => {
  const database = await createDatabase('template_company');
  try {
    const owner = await database.client('cf_owner');
    const reader = await database.client('cf_reader');
    const counted = async (): Promise<unknown> => {
      const { rows } = await owner.query(
        'select (select count(*) from ledger.accounts) as accounts, (select count(*) from ledger.users) as users, (select count(*) from ledger.value_entries) as entries',
      );
      return rows;
    };
    const before = await counted();
    // The role of a reader may make the plan's table, and may write no entry.
    await expect(seedAccount(owner, SMALLEST, () => undefined, [reader])).rejects.toMatchObject({
      code: '42501',
    });
    expect(await counted()).toEqual(before);
    await expect(generated(owner, SMALLEST)).resolves.toBeTypeOf('bigint');
  } finally {
    await database.drop();
  }
});

it('an empty ledger is known by its missing rates and platforms', async () => {
  const empty = await createDatabase('template_ledger');
  const full = await createDatabase('template_company');
  try {
    expect(await hasSharedRows(await empty.client('cf_owner'))).toBe(false);
    expect(await hasSharedRows(await full.client('cf_owner'))).toBe(true);
  } finally {
    await empty.drop();
    await full.drop();
  }
});

describe('a build', () => {
  let harness: BuildHarness;
  let owner: Client;
  beforeAll(async () => {
    harness = await openBuildHarness();
    owner = await harness.database.client('cf_owner');
  });
  afterAll(() => harness.close());

  it('of seeded rows passes its audit', async () => {
    await assert(
      asyncProperty(bigInt(0n, 10n ** 9n), integer({ min: 100, max: 400 }), async (seed, rows) => {
        const account_id = await generated(owner, { ...SMALLEST, seed, rows, inputs: 2 * rows });
        expect(await harness.build({ account_id })).toMatchObject({ outcome: 'published' });
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  it('of copied rows passes its audit', async () => {
    const account_id = await generated(owner, {
      ...SMALLEST,
      rows: 400,
      initiatives: 80,
      inputs: 800,
      drawn: 100,
    });
    expect(await harness.build({ account_id })).toMatchObject({ outcome: 'published' });
  });

  it.each(['rows', 'initiatives', 'years'] as const)('is not made of too few %s', async (name) => {
    await expect(generated(owner, { ...SMALLEST, [name]: SMALLEST[name] - 1 })).rejects.toMatchObject({
      code: 'usage_invalid',
      message: expect.stringContaining(name),
    });
  });
});
