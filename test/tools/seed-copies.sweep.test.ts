/** Copies in a seeded account: as many rows as asked, by the ledger's own rules, in a schema that is as before. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COPIED_TABLES } from '../../tools/seed/copies.ts';
import { type SeedRequest, seedAccount } from '../../tools/seed/seed-account.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

// A fourth of the rows is drawn.
const REQUEST: SeedRequest = { rows: 400, initiatives: 80, years: 2, inputs: 1_200, seed: 7n, drawn: 100 };

/** Indexes, triggers and constraints of the ledger, with the comments of constraints. */
async function schemaOf(owner: Client): Promise<readonly string[]> {
  const { rows } = await owner.query<{ declared: string }>(
    `select indexdef as declared from pg_indexes where schemaname = 'ledger'
     union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
     union all select conrelid::regclass::text || ' ' || conname || pg_get_constraintdef(oid) || coalesce(obj_description(oid, 'pg_constraint'), '')
       from pg_constraint where contype in ('c', 'f')
     order by 1`,
  );
  return rows.map(({ declared }) => declared);
}

/** The cost of a bill `b` that the table has. */
function centsOf(table: string): string {
  return `coalesce((select sum(cost_cents) from ledger.${table} u where u.account_id = b.account_id and u.bill_id = b.id), 0)`;
}

describe('an account with copies', () => {
  let database: TestDatabase;
  let owner: Client;
  let account: bigint;
  let before: readonly string[];
  beforeAll(async () => {
    database = await createDatabase('template_company');
    owner = await database.client('cf_owner');
    before = await schemaOf(owner);
    account = await seedAccount(owner, REQUEST, () => undefined);
  });
  afterAll(() => database.drop());

  /** The one value that is selected. */
  async function one(selected: string): Promise<unknown> {
    const { rows } = await owner.query<Record<string, unknown>>(`select ${selected}`, [account]);
    return Object.values(rows[0] ?? {})[0];
  }

  it('has as many costs, value entries, initiatives and inputs as were asked for', async () => {
    expect(
      await one(`concat_ws(' ', count(*), max(id)) from ledger.cost_entries where account_id = $1`),
    ).toBe('400 400');
    expect(
      await one(`concat_ws(' ', count(*), max(id)) from ledger.value_entries where account_id = $1`),
    ).toBe('400 400');
    expect(await one(`concat_ws(' ', count(*), max(id)) from ledger.initiatives where account_id = $1`)).toBe(
      '80 80',
    );
    expect(
      await one(
        `count(*) from ledger.value_entries, jsonb_object_keys(input_snapshot::jsonb -> 'inputs') where account_id = $1`,
      ),
    ).toBe(1_200n);
  });

  it('has the people and vendors of an account of that many initiatives', async () => {
    expect(await one('count(*) from ledger.memberships where account_id = $1')).toBe(10n); // 10 + 80 ÷ 100
    expect(await one('count(*) from ledger.vendors where account_id = $1')).toBe(14n); // 10 + 80 ÷ 20
  });

  it('has in every copy the rows that were drawn, each with the rows of its own copy', async () => {
    const { rows } = await owner.query(
      `select (v.id - 1) / 100 as copy, sum(v.usd_amount_cents) as dollars, count(d.id) as approvals,
         count(*) filter (where (i.id - 1) / 20 = (v.id - 1) / 100) as own_initiatives,
         count(d.id) filter (where d.subject_id = v.id and d.initiative_id = v.initiative_id) as own_approvals
       from ledger.value_entries v join ledger.initiatives i using (account_id)
       left join ledger.approval_decisions d on d.account_id = v.account_id and d.id = v.approval_decision_id
       where v.account_id = $1 and i.id = v.initiative_id group by 1 order by 1`,
      [account],
    );
    const drawn = rows[0] as { own_initiatives: bigint; approvals: bigint; own_approvals: bigint };
    expect(drawn.own_initiatives).toBe(100n);
    expect(drawn.own_approvals).toBe(drawn.approvals);
    expect(rows).toEqual([0n, 1n, 2n, 3n].map((copy) => ({ ...drawn, copy })));
  });

  it('stamps a copy when it is written', async () => {
    expect(
      await one(`min(updated_at) filter (where id > 100) > max(updated_at) filter (where id <= 100)
        from ledger.cost_entries where account_id = $1`),
    ).toBe(true);
  });

  it('names the copies of an initiative by their number', async () => {
    const { rows } = await owner.query(
      'select id, title from ledger.initiatives where account_id = $1 and id % 20 = 2 order by id',
      [account],
    );
    expect(rows).toEqual([
      { id: 2n, title: 'Initiative 2' },
      { id: 22n, title: 'Initiative 2 (1)' },
      { id: 42n, title: 'Initiative 2 (2)' },
      { id: 62n, title: 'Initiative 2 (3)' },
    ]);
  });

  it('has of each bill, drawn or copied, the cost that its usage does not explain', async () => {
    const unexplained = `b.amount_cents <> ${centsOf('usage')} + ${centsOf('usage_rests')}`;
    expect(
      await one(
        `count(*) filter (where ${unexplained}) || ' of ' || count(*) from ledger.provider_bills b where account_id = $1`,
      ),
    ).toMatch(/^0 of [1-9]/);
  });

  it('has what the triggers of an update would fill in', async () => {
    const written = async (table: string): Promise<unknown> =>
      one(
        `md5(string_agg((to_jsonb(t) - 'updated_at')::text, ',' order by t.id)) from ledger.${table} t where account_id = $1`,
      );
    await owner.query('begin');
    await owner.query("select set_config('app.account_id', $1, true)", [account]);
    for (const table of COPIED_TABLES) {
      const copied = await written(table);
      const columns = await one(
        `(select string_agg(attname || ' = ' || attname, ', ') from pg_attribute where attrelid = 'ledger.${table}'::regclass
          and attnum > 0 and attgenerated = '' and attname not in ('account_id', 'id', 'updated_at') and $1::bigint is not null)`,
      );
      await owner.query(`update ledger.${table} set ${String(columns)} where account_id = $1`, [account]);
      expect({ table, written: await written(table) }).toEqual({ table, written: copied });
    }
    await owner.query('commit'); // with the deferred constraint triggers
    expect(
      await one(
        `count(*) from ledger.approval_decisions d join ledger.initiatives i using (account_id)
         where account_id = $1 and i.id = d.initiative_id and d.is_sample <> i.is_sample`,
      ),
    ).toBe(0n);
  });

  it('leaves the schema as before, but for two checks that PostgreSQL has not validated and that hold', async () => {
    const checks = ['value_inputs_well_formed', 'value_snapshot_canonical'];
    const marked = (await schemaOf(owner)).filter((declared) => !before.includes(declared));
    expect(marked.map((declared) => declared.split(/ |CHECK/u)[1])).toEqual(checks);
    for (const check of checks)
      await owner.query(`alter table ledger.value_entries validate constraint ${check}`);
    expect(await schemaOf(owner)).toEqual(before);
  });

  it('is noted as changed by the transaction that copied its rows', async () => {
    expect(
      await one(
        `count(*) from ops.account_changes c join ledger.document_citations d using (account_id)
         where account_id = $1 and d.xmin::text = (c.xid::text::bigint % (1::bigint << 32))::text and d.id = (select max(id) from ledger.document_citations where account_id = $1)`,
      ),
    ).toBe(1n);
  });

  it('leaves the next ids free', async () => {
    const { rows } = await owner.query<{ id: bigint }>(
      `insert into ledger.initiatives (account_id, title, stage, currency) values ($1, 'One more', 'identified', 'USD') returning id`,
      [account],
    );
    expect(rows[0]?.id).toBeGreaterThan(80n);
  });
});

it('the seeder draws all rows of an account that cannot be divided', async () => {
  const database = await createDatabase('template_company');
  try {
    const owner = await database.client('cf_owner');
    const account = await seedAccount(owner, { ...REQUEST, rows: 401 }, () => undefined);
    const { rows } = await owner.query(
      `select (select count(*) from ledger.cost_entries where account_id = $1) as costs,
         (select count(*) from ledger.initiatives where account_id = $1 and title ~ '[)]$') as copies`,
      [account],
    );
    expect(rows).toEqual([{ costs: 401n, copies: 0n }]);
  } finally {
    await database.drop();
  }
});

it('failed copies leave nothing of their account, and the schema as before; the next two accounts are filled', async () => {
  const database = await createDatabase('template_company');
  try {
    const owner = await database.client('cf_owner');
    const counted = async (): Promise<unknown> =>
      (
        await owner.query(
          'select count(*), (select count(*) from ledger.value_entries) as entries from ledger.accounts',
        )
      ).rows;
    const [before, accounts] = [await schemaOf(owner), await counted()];
    const failing = seedAccount(owner, REQUEST, (line) => {
      if (line === 'indexes and foreign keys of the copies') throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await schemaOf(owner)).toEqual(before);
    expect(await counted()).toEqual(accounts);
    const first = await seedAccount(owner, REQUEST, () => undefined);
    expect(await seedAccount(owner, REQUEST, () => undefined)).toBe(first + 1n);
  } finally {
    await database.drop();
  }
});
