import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { besideMoment, type MomentOptions, withMoment } from '../../../src/ledger/moment/moment.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { foundAccount } from '../../support/ledger-rows.ts';
import { untilWaiting } from '../../support/locks.ts';

let database: TestDatabase;
let owner: Client;
let reader: Client;
let admin: Client;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
  admin = await database.admin();
  await owner.query(`
    create table ledger.probe (account_id bigint, n integer);
    alter table ledger.probe enable row level security;
    create policy one_account on ledger.probe for select to cf_reader using (account_id = service.current_account());
    grant select on ledger.probe to cf_reader`);
});
afterAll(() => database.drop());

// Three rows of account 1 and one of account 2.
beforeEach(() =>
  owner.query('truncate ledger.probe; insert into ledger.probe values (1, 1), (1, 2), (1, 3), (2, 4)'),
);

const options = {
  account_id: 1n,
  tables: ['ledger.probe'],
  statementTimeoutMs: 20_000,
} satisfies MomentOptions;

async function countRows(client: Client): Promise<bigint | undefined> {
  const { rows } = await client.query<{ count: bigint }>('select count(*) from ledger.probe');
  return rows[0]?.count;
}

describe('withMoment', () => {
  it('sees the rows of its account only', async () => {
    expect(await withMoment(reader, options, () => countRows(reader))).toBe(3n);
    expect(await withMoment(reader, { ...options, account_id: 2n }, () => countRows(reader))).toBe(1n);
    expect(await countRows(reader)).toBe(0n);
  });

  it('sees rows committed before it and no row committed after it', async () => {
    await owner.query('insert into ledger.probe values (1, 5)');
    const seen = await withMoment(reader, options, async () => {
      await owner.query('insert into ledger.probe values (1, 6)');
      return countRows(reader);
    });
    expect(seen).toBe(4n);
  });

  it('sees what was committed while it waited for a lock, because the locks come before the snapshot', async () => {
    await owner.query('begin; lock table ledger.probe in access exclusive mode');
    const seen = withMoment(reader, options, () => countRows(reader));
    await untilWaiting(admin, 'ledger.probe');
    await owner.query('insert into ledger.probe values (1, 5); commit');
    expect(await seen).toBe(4n);
  });

  it.each(['truncate ledger.probe', 'alter table ledger.probe alter n type text'])(
    'makes "%s" wait, so that the table never reads as empty',
    async (rewrite) => {
      let rewritten: Promise<unknown> | undefined;
      const seen = await withMoment(reader, options, async () => {
        rewritten = owner.query(rewrite);
        await untilWaiting(admin, 'ledger.probe');
        return countRows(reader);
      });
      await rewritten;
      await owner.query('alter table ledger.probe alter n type integer using n::integer');
      expect(seen).toBe(3n);
    },
  );

  it.each(['truncate ledger.probe', 'alter table ledger.probe alter n type text'])(
    'guards against a true danger: without its locks "%s" reads as 0 rows and no error',
    async (rewrite) => {
      await reader.query(`begin isolation level repeatable read read only; set local app.account_id = '1'`);
      await reader.query('select statement_timestamp()');
      await owner.query(rewrite);
      const seen = await countRows(reader);
      await reader.query('commit');
      await owner.query('alter table ledger.probe alter n type integer using n::integer');
      expect(seen).toBe(0n);
    },
  );

  it('refuses with a code when a table stays locked (F-15)', async () => {
    await owner.query('begin; lock table ledger.probe in access exclusive mode');
    const refused = withMoment(reader, { ...options, lockTimeoutMs: 50 }, () => countRows(reader));
    await expect(refused).rejects.toMatchObject({
      code: 'ledger_locked',
      data: { tables: ['ledger.probe'] },
    });
    await owner.query('rollback');
  });

  it('gives the database’s clock, or the injected clock, and leaves the visible rows alone', async () => {
    const { rows } = await reader.query<{ now: bigint }>('select clock_timestamp() as now');
    const now = await withMoment(reader, options, async (moment) => moment.generated_at);
    expect(now).toBeGreaterThan(rows[0]?.now ?? 0n);
    const injected = await withMoment(reader, { ...options, at: 86_400_000_000n }, async (moment) => ({
      generated_at: moment.generated_at,
      rows: await countRows(reader),
    }));
    expect(injected).toEqual({ generated_at: 86_400_000_000n, rows: 3n });
  });

  it('exports its snapshot: another connection sees the same moment', async () => {
    const other = await database.client('cf_reader');
    const seen = await withMoment(reader, options, async ({ exported_snapshot, pg_snapshot }) => {
      await owner.query('insert into ledger.probe values (1, 5)');
      await other.query('begin isolation level repeatable read read only');
      await other.query(`set transaction snapshot '${exported_snapshot}'; set local app.account_id = '1'`);
      const { rows } = await other.query<{ visible: string }>(
        'select pg_current_snapshot()::text as visible',
      );
      const count = await countRows(other);
      await other.query('commit');
      return { count, same: rows[0]?.visible === pg_snapshot };
    });
    expect(seen).toEqual({ count: 3n, same: true });
  });

  it('lets a second connection read beside it: the rows of its account at the same moment, with the same locks', async () => {
    const other = await database.client('cf_reader');
    const seen: unknown[] = [];
    await withMoment(reader, options, async (moment) => {
      await owner.query('insert into ledger.probe values (1, 5)');
      await besideMoment(other, options, moment, async () => {
        const { rows } = await other.query<{ mode: string }>(
          `select mode from pg_locks where relation = 'ledger.probe'::regclass and pid = pg_backend_pid()`,
        );
        seen.push(await countRows(other), rows);
      });
    });
    expect(seen).toEqual([3n, [{ mode: 'AccessShareLock' }]]);
  });

  it('does not read beside a moment while a migration waits for a table', async () => {
    const other = await database.client('cf_reader');
    let rewritten: Promise<unknown> | undefined;
    let ran = false;
    await withMoment(reader, options, async (moment) => {
      rewritten = owner.query('truncate ledger.probe');
      await untilWaiting(admin, 'ledger.probe');
      await besideMoment(other, { ...options, lockTimeoutMs: 50 }, moment, async () => {
        ran = true;
      });
    });
    await rewritten;
    expect(ran).toBe(false);
  });

  it.each([
    ['a snapshot that the server does not know', { exported_snapshot: '0-0-1' }],
    ['a snapshot of another moment', { pg_snapshot: '1:1:' }],
  ])('does not read beside %s', async (_, other) => {
    const second = await database.client('cf_reader');
    let ran = false;
    await withMoment(reader, options, async (moment) => {
      await besideMoment(second, options, { ...moment, ...other }, async () => {
        ran = true;
      });
    });
    expect(ran).toBe(false);
  });

  it('does not read beside a moment of another database of the server', async () => {
    const elsewhere = await createDatabase();
    try {
      const other = await elsewhere.client('cf_reader');
      const there = { ...options, tables: ['ledger.accounts'] };
      const joined = await withMoment(reader, options, (moment) =>
        besideMoment(other, there, moment, () => Promise.reject(new Error('it must not read'))),
      );
      expect(joined).toBe(false);
    } finally {
      await elsewhere.drop();
    }
  });

  it('holds changes_from back to the start of a writer that is still open (F-10)', async () => {
    await owner.query('begin');
    await foundAccount(owner);
    const { rows } = await owner.query<{ start: bigint }>('select now() as start');
    const held = await withMoment(reader, options, async (moment) => moment.changes_from);
    await owner.query('rollback');
    const free = await withMoment(reader, options, async (moment) => moment);
    expect(held).toBe(rows[0]?.start);
    expect(free.changes_from).toBeGreaterThan(rows[0]?.start ?? 0n);
    expect(free.changes_from).toBeLessThanOrEqual(free.generated_at);
  });

  it('is read-only', async () => {
    const write = withMoment(reader, options, () => reader.query('create temporary table t (n integer)'));
    await expect(write).rejects.toMatchObject({ code: '25006' });
  });

  it('stops a statement that takes too long', async () => {
    const slow = withMoment(reader, { ...options, statementTimeoutMs: 50 }, () =>
      reader.query('select pg_sleep(30)'),
    );
    await expect(slow).rejects.toMatchObject({ code: 'statement_timed_out' });
  });

  it('limits how long a builder that hangs may stay in it', async () => {
    const limits = await withMoment(reader, options, async () => {
      const { rows } = await reader.query(
        `select current_setting('idle_in_transaction_session_timeout') as idle,
                current_setting('lock_timeout') as lock, current_setting('timezone') as zone`,
      );
      return rows;
    });
    expect(limits).toEqual([{ idle: '5min', lock: '10s', zone: 'UTC' }]);
  });

  it("starts no parallel workers: a build takes no more of the server's processors than it has sessions", async () => {
    const workers = await withMoment(reader, options, async () => {
      const { rows } = await reader.query('show max_parallel_workers_per_gather');
      return rows;
    });
    expect(workers).toEqual([{ max_parallel_workers_per_gather: '0' }]);
  });

  it('ends its transaction when the work inside fails, and passes the failure on', async () => {
    const failure = new Error('the work failed');
    await expect(withMoment(reader, options, () => Promise.reject(failure))).rejects.toBe(failure);
    const { rows } = await reader.query<{ pid: number }>('select pg_backend_pid() as pid');
    const state = await admin.query('select state from pg_stat_activity where pid = $1', [rows[0]?.pid]);
    expect(state.rows).toEqual([{ state: 'idle' }]);
  });

  it('passes on an error inside when the connection is gone as well', async () => {
    const doomed = await database.client('cf_reader');
    const broken = withMoment(doomed, options, async () => {
      const { rows } = await doomed.query<{ pid: number }>('select pg_backend_pid() as pid');
      await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      return countRows(doomed);
    });
    // The server's last word, or that of the socket if it was faster.
    await expect(broken).rejects.toThrow(/terminat|connection error|ECONNRESET|EPIPE/);
  });

  it('puts nothing but an integer into its SQL', async () => {
    const account_id = `1'; select 1; --` as unknown as bigint;
    await expect(withMoment(reader, { ...options, account_id }, () => countRows(reader))).rejects.toThrow(
      SyntaxError,
    );
    const tables = ['ledger.probe; select 1'];
    await expect(withMoment(reader, { ...options, tables }, () => countRows(reader))).rejects.toMatchObject({
      code: 'schema_drift',
      data: { sqlstate: '42P01' },
    });
  });

  it('asks for the horizon before its snapshot, outside the read-only transaction', async () => {
    // A horizon that writes is possible only where the transaction is not read-only.
    await admin.query(`
      create table ops.horizon_calls (at timestamptz);
      create or replace function service.write_horizon() returns timestamptz language plpgsql security definer as $$
      begin
        insert into ops.horizon_calls values (clock_timestamp());
        return timestamptz '2024-01-01 00:00Z';
      end $$;
      grant usage on schema ops to cf_owner; grant insert on ops.horizon_calls to cf_owner`);
    const { changes_from } = await withMoment(reader, options, async (moment) => moment);
    // 2024-01-01 is day 19,723: 19723 × 86400 s.
    expect(changes_from).toBe(1_704_067_200_000_000n);
  });
});
