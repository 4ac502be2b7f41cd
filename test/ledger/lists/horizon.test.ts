import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Founded, addCost, foundAccount } from '../../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let writer: Client;
let reader: Client;
let home: Founded;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  writer = await database.client('cf_writer');
  reader = await database.client('cf_reader');
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
});
afterEach(() => writer.query('rollback'));

async function instant(db: Client, expression: string): Promise<bigint> {
  const { rows } = await db.query<{ at: bigint }>(`select ${expression} as at`);
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a row');
  return row.at;
}

const horizon = (): Promise<bigint> => instant(reader, 'service.write_horizon()');
const clock = (): Promise<bigint> => instant(reader, 'clock_timestamp()');
const begin = (db: Client): Promise<unknown> =>
  db.query(`begin; set local app.account_id = '${home.account}'`);

async function writeSlowly(): Promise<bigint> {
  await begin(writer);
  const id = await addCost(writer, home);
  return stampOf(writer, id);
}

async function stampOf(db: Client, cost: bigint): Promise<bigint> {
  const { rows } = await db.query<{ updated_at: bigint }>(
    'select updated_at from ledger.cost_entries where id = $1',
    [cost],
  );
  return rows[0]?.updated_at ?? 0n;
}

describe('the write horizon, as the reader asks for it', () => {
  it('is the clock while no transaction writes, read before the rows', async () => {
    const before = await clock();
    const seen = await horizon();
    expect(seen).toBeGreaterThanOrEqual(before);
    expect(seen).toBeLessThanOrEqual(await clock());
  });

  it('stands at the start of the oldest transaction that has written and not ended', async () => {
    await begin(writer);
    const began = await instant(writer, 'transaction_timestamp()');
    expect(await horizon()).toBeGreaterThan(began); // it has written nothing yet
    await addCost(writer, home);
    expect(await horizon()).toBe(began);
    await owner.query('begin');
    await addCost(owner, home);
    expect(await horizon()).toBe(began);
    await writer.query('commit');
    expect(await horizon()).toBe(await instant(owner, 'transaction_timestamp()'));
    await owner.query('commit');
    expect(await horizon()).toBeGreaterThan(began);
  });

  it('is looked up afresh within one transaction', async () => {
    await reader.query('begin');
    const began = await clock();
    expect(await horizon()).toBeGreaterThanOrEqual(began);
    await writeSlowly();
    const held = await horizon();
    expect(held).toBe(await instant(writer, 'transaction_timestamp()'));
    await writer.query('commit');
    expect(await horizon()).toBeGreaterThan(held);
    await reader.query('commit');
  });

  it('lies at or below every stamp that is still to be committed', async () => {
    const stamp = await writeSlowly();
    expect(await horizon()).toBeLessThanOrEqual(stamp);
  });

  it('stays below the stamps of a writer who writes again after it was read', async () => {
    await writeSlowly();
    const seen = await horizon();
    const later = await stampOf(writer, await addCost(writer, home));
    expect(seen).toBeLessThanOrEqual(later);
    expect(await horizon()).toBe(seen);
  });

  it('stays below what a prepared transaction wrote, until it ends', async () => {
    const before = await clock();
    const stamp = await writeSlowly();
    await writer.query("prepare transaction 'slow'");
    const held = await horizon();
    expect(held).toBeLessThanOrEqual(stamp);
    expect(held).toBeGreaterThanOrEqual(before);
    await writer.query("commit prepared 'slow'");
    expect(await horizon()).toBeGreaterThan(stamp);
  });

  it('stays below a transaction that began before the migration, which locked its minute', async () => {
    await begin(writer);
    const minute = 'floor(extract(epoch from transaction_timestamp()) / 60)::integer';
    await writer.query(`select pg_advisory_xact_lock_shared(1129467731, ${minute})`);
    expect(await horizon()).toBe(60_000_000n * (await instant(writer, `${minute}::bigint`)));
  });

  it('is held back by no lock of another program', async () => {
    const before = await clock();
    for (const key of ['0', '4999999999999999999', '5007258118400000001', '-1', '1129467730, 0']) {
      await begin(writer);
      await writer.query(`select pg_advisory_xact_lock(${key})`);
      expect(await horizon()).toBeGreaterThanOrEqual(before);
      await writer.query('rollback');
    }
  });

  it('is not held back by what happens in another database', async () => {
    const elsewhere = await createDatabase();
    try {
      const neighbour = await elsewhere.client('cf_owner');
      await neighbour.query('begin');
      await foundAccount(neighbour);
      const before = await clock();
      expect(await horizon()).toBeGreaterThanOrEqual(before);
      await neighbour.query('rollback');
    } finally {
      await elsewhere.drop();
    }
  });

  it('needs no right on the sessions of other roles, which the reader cannot see', async () => {
    await writeSlowly();
    expect(await horizon()).toBe(await instant(writer, 'transaction_timestamp()'));
    const { rows } = await reader.query(
      `select count(xact_start) as seen
       from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`,
    );
    expect(rows).toEqual([{ seen: 0n }]);
  });
});

describe('a list that stops at the horizon', () => {
  it('misses no row of a slow writer (F-38)', async () => {
    const list = async (since: bigint, until: bigint): Promise<bigint[]> => {
      const { rows } = await reader.query<{ id: bigint }>(
        `select id from ledger.cost_entries where account_id = $1
           and updated_at >= timestamptz 'epoch' + $2::bigint * interval '1 microsecond'
           and updated_at < timestamptz 'epoch' + $3::bigint * interval '1 microsecond' order by updated_at, id`,
        [home.account, since, until],
      );
      return rows.map((row) => row.id);
    };
    await begin(writer);
    const slow = await addCost(writer, home); // stamped first, committed last
    const quick = await addCost(owner, home);
    await reader.query(`set app.account_id = '${home.account}'`);
    const first = await horizon();
    const firstPage = await list(0n, first);
    await writer.query('commit');
    const secondPage = await list(first, await horizon());
    await reader.query('reset app.account_id');
    expect([firstPage, secondPage]).toEqual([[], [slow, quick]]);
  });
});
