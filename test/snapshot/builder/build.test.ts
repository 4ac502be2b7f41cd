/** Whole builds of the fixture company: one moment, one account, the same bytes, figures that two engines agree on. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { FIELD_KINDS, type FieldKind } from '../../../src/fields.ts';
import { WarmThread } from '../../../src/parquet/warm-thread.ts';
import type { BuildEvent } from '../../../src/snapshot/builder/events.ts';
import type { Store } from '../../../src/store/store.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { askDuckDb, footerOf, readHyparquet } from '../../parquet/read-back.ts';
import { insert } from '../../support/ledger-rows.ts';
import { untilWaiting } from '../../support/locks.ts';
import { pausedClient } from './faulty-tools.ts';
import {
  AT,
  type BuildHarness,
  type Served,
  change,
  fileOf,
  listener,
  openBuildHarness,
} from './real-build.ts';
import { instantOf } from '../../support/instant-of.ts';

const summable = (kind: FieldKind): boolean => ['id', 'cents', 'timestamp'].includes(kind);
const HOUR = 3_600_000_000n;
/** An account that has nothing, and belongs to this file. */
const EMPTY = 900n;

let harness: BuildHarness;
let owner: Client;
let first: Served | null;
/** The first snapshot of each account, which the tests of files read. */
const firstOf = new Map<bigint, Served | null>();

beforeAll(async () => {
  harness = await openBuildHarness();
  owner = await harness.database.client('cf_owner');
  await insert(owner, 'ledger.accounts', {
    id: EMPTY,
    name: 'Nothing yet',
    plan: 'team',
    plan_includes_api: true,
    app_url: 'https://app.example/nothing',
    reporting_enabled_at: '2026-01-01Z',
  });
  await harness.build();
  first = await harness.served();
  await harness.build({ account_id: EMPTY });
  firstOf.set(1n, first).set(EMPTY, await harness.served(EMPTY));
});
afterAll(() => harness.close());

it('a build gives the same bytes for the same ledger at the same moment, in every kind of store', async () => {
  const store = await harness.emptyStore();
  await harness.build({ store });
  const again = await harness.served(1n, store);
  expect(again?.tables).toEqual(first?.tables);
  for (const { name } of TABLES) expect(fileOf(again, name).equals(fileOf(first, name))).toBe(true);
});

/** A thread for which each file needed so much memory. */
class MeasuredThread extends WarmThread {
  readonly workers = new Set<Worker>();
  readonly #bytes: number;

  constructor(bytes: number) {
    super();
    this.#bytes = bytes;
  }

  override async giveBack(worker: Worker): Promise<void> {
    this.workers.add(worker);
    await super.giveBack(worker, this.#bytes);
  }
}

it.each([
  ['ends its idle thread before the audit has passed if files were large', 33 * 1024 * 1024, 0],
  ['keeps its idle thread for the next build if all files were small', 31 * 1024 * 1024, 1],
])('a build %s', async (_, bytes, kept) => {
  await using thread = new MeasuredThread(bytes);
  const running: number[] = [];
  const onEvent = ({ kind }: BuildEvent): void => {
    if (kind !== 'audit.passed') return;
    running.push([...thread.workers].filter(({ threadId }) => threadId !== -1).length);
  };
  await harness.build({ store: await harness.emptyStore(), thread, onEvent });
  expect(running).toEqual([kept]);
});

describe.each([
  ['the company', 1n],
  ['an account without a row', EMPTY],
])('the files of %s', (_, account) => {
  it.each(TABLES)('$name has the declared columns, types and nulls in both readers', async (table) => {
    const served = firstOf.get(account) ?? null;
    const file = fileOf(served, table.name);
    const declared = table.columns.map((column) => ({
      column_name: column.name,
      column_type: FIELD_KINDS[column.kind].duckdb,
    }));
    expect(await askDuckDb(file, 'select column_name, column_type from (describe file)')).toEqual(declared);

    const { schema, num_rows, row_groups } = footerOf(file);
    const leaves = schema.slice(1);
    expect(
      leaves.map(({ name, repetition_type }) => ({ name, optional: repetition_type === 'OPTIONAL' })),
    ).toEqual(table.columns.map(({ name, nullable }) => ({ name, optional: nullable })));
    const instants = leaves.filter((leaf) => leaf.logical_type?.type === 'TIMESTAMP');
    expect(instants.map((leaf) => [leaf.name, leaf.logical_type])).toEqual(
      table.columns
        .filter(({ kind }) => kind === 'timestamp')
        .map(({ name }) => [name, { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' }]),
    );
    const rows = served?.tables.find(({ name }) => name === table.name)?.row_count;
    expect(Number(num_rows)).toBe(rows);
    expect(row_groups.length).toBe(rows === 0 ? 0 : 1);
  });

  it.each(TABLES)('$name says the same in both readers: counts, nulls, sums, microseconds', async (table) => {
    const file = fileOf(firstOf.get(account) ?? null, table.name);
    const rows = await readHyparquet(file);
    const figures = table.columns.map(({ name, kind }) => {
      const cell = kind === 'timestamp' ? `epoch_us("${name}")` : `"${name}"`;
      const total = summable(kind) ? `coalesce(sum(${cell}), 0)::varchar` : 'null';
      return `[count("${name}")::varchar, ${total}] as "${name}"`;
    });
    const [said] = await askDuckDb(file, `select ${figures.join(', ')} from file`);
    const counted = table.columns.map(({ name, kind }) => {
      const known = rows.map((row) => row[name]).filter((cell) => cell !== null && cell !== undefined);
      const total = known.reduce<bigint>((sum, cell) => (typeof cell === 'bigint' ? sum + cell : sum), 0n);
      return [name, [String(known.length), summable(kind) ? String(total) : null]];
    });
    expect(said).toEqual(Object.fromEntries(counted));
  });
});

it('the snapshot states its moment to the microsecond', async () => {
  const [row] = await readHyparquet(fileOf(first, 'snapshot'));
  expect(row).toMatchObject({ snapshot_id: '20260715T020000Z', generated_at: AT });
});

it('the snapshot of an account shows nothing of another', async () => {
  await harness.build({ account_id: 2n });
  const other = await harness.served(2n);
  const { rows } = await owner.query<{ account_id: bigint; id: bigint }>(
    `select account_id, id from ledger.initiatives where not is_sample order by id`,
  );
  const own = rows.filter(({ account_id }) => account_id === 2n).map(({ id }) => id);
  const shown = await readHyparquet(fileOf(other, 'initiatives'));
  expect(shown.map((row) => row['initiative_id'])).toEqual(own);
  for (const table of ['reported_value', 'costs', 'reported_totals']) {
    const named = (await readHyparquet(fileOf(other, table))).map((row) => row['initiative_id'] ?? null);
    expect(named.filter((id) => id !== null && !own.includes(id as bigint))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  }
});

it('the snapshot shows the ledger at its moment, even if rows are changed, closed or deleted during the build', async () => {
  let changed = false;
  // Everything that a source table can tell is made to tell something else, right after the moment was taken.
  const act = async (): Promise<void> => {
    await change(
      owner,
      `update ledger.accounts set name = 'Later', fiscal_year_start_month = 7, contribution_margin = 0 where id = 1;
       update ledger.users set name = 'Later';
       update ledger.platforms set name = 'Later';
       update ledger.books_accounts set name = 'Later' where account_id = 1;
       update ledger.connections set platform_key = 'openai' where account_id = 1;
       update ledger.initiatives set title = 'Later', owner_id = null, planned_cost_savings_cents = 1 where account_id = 1;
       insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, source_type, period_start)
         values (1, 101, 77700, 'USD', 'manual', '2026-07-01');
       insert into ledger.value_entries (account_id, initiative_id, amount_cents, currency, status, entry_type, source_type)
         values (1, 101, 88800, 'USD', 'approved', 'cost_savings', 'manual');
       update ledger.cost_entries set amount_cents = amount_cents + 1 where account_id = 1 and id in (3011, 3010);
       delete from ledger.value_entries where account_id = 1 and id = 2019;
       delete from ledger.euro_reference_rates where day >= '2026-06-01';
       insert into ledger.accounting_months (account_id, month, status, locked_at)
         values (1, '2026-05-01', 'locked', now())
         on conflict (account_id, month) do update set status = 'locked', locked_at = now()`,
    );
    changed = true;
  };
  const store = await harness.emptyStore();
  await harness.build({ store, connect: () => pausedClient(harness.connect, 'pg_export_snapshot', act) });
  expect(changed).toBe(true);
  const during = await harness.served(1n, store);
  expect(during?.tables).toEqual(first?.tables);

  await harness.build({ at: AT + HOUR });
  const after = await harness.served();
  const unchanged = TABLES.filter(({ name }) => fileOf(after, name).equals(fileOf(first, name)));
  expect(unchanged).toEqual([]);
  const [cost] = await askDuckDb(
    fileOf(after, 'costs'),
    `select bool_and(locked) as locked, count(*)::integer as rows from file where period_month = '2026-05-01'`,
  );
  // C3055, C3073 and C3087 start in May 2026, the month that was closed after the first moment.
  expect(cost).toEqual({ locked: true, rows: 3 });
});

it('the build makes a rewrite of a source table wait, so that it never reads as empty (F-12)', async () => {
  const migrator = await harness.database.client('cf_owner');
  const admin = await harness.database.admin();
  const told: string[] = [];
  let rewrite: Promise<unknown> = Promise.resolve();
  const act = async (): Promise<void> => {
    rewrite = migrator
      .query('begin; truncate ledger.value_entries cascade; rollback')
      .then(() => told.push('rewritten'));
    await untilWaiting(admin, 'ledger.value_entries');
  };
  const store = await harness.emptyStore();
  await harness.build({
    at: AT + HOUR,
    store,
    connect: () => pausedClient(harness.connect, 'pg_export_snapshot', act),
    onEvent: (event) => told.push(event.kind),
  });
  await rewrite;
  // Every table was written before the lock was given.
  expect(told.slice(0, TABLES.length)).toEqual(TABLES.map(() => 'table.written'));
  expect(told).toContain('rewritten');
  const { rows } = await owner.query<{ count: bigint }>(
    `select count(*) from ledger.value_entries v join ledger.initiatives i using (account_id)
     where account_id = 1 and v.initiative_id = i.id and not is_sample and status = 'approved'`,
  );
  const written = (await harness.served(1n, store))?.tables.find(({ name }) => name === 'reported_value');
  expect(written?.row_count).toBe(Number(rows[0]?.count));
  expect(written?.row_count).toBeGreaterThan(40);
});

it('the build leaves no spool behind', async () => {
  expect(await readdir(harness.spool)).toEqual([]);
  expect(await readdir(join(harness.spool, '..', '2'))).toEqual([]);
});

it('the build pins its snapshot for a month that it first sees closed, or leaves the pin to the next build', async () => {
  await change(
    owner,
    `update ledger.accounts set close_pins_since = '2026-07-01Z' where id = ${EMPTY};
     insert into ledger.accounting_months (account_id, month, status, locked_at)
     values (${EMPTY}, '2026-06-01', 'locked', '2026-07-10Z')`,
    EMPTY,
  );
  const store = await harness.emptyStore();
  const refusing: Store = {
    ...store,
    create: (key, body) =>
      key.includes('/marks/')
        ? Promise.reject(new CrossfootError('store_unavailable', 'Refused.'))
        : store.create(key, body),
  };
  const { events, onEvent } = listener();
  await harness.build({ account_id: EMPTY, store: refusing, at: AT - HOUR, onEvent });
  await harness.build({ account_id: EMPTY, store, onEvent });
  expect(events.filter(({ kind }) => kind === 'snapshot.pinned' || kind === 'pin.delayed')).toEqual([
    { kind: 'pin.delayed', snapshot: '20260715T010000Z', why: 'Refused.' },
    { kind: 'snapshot.pinned', snapshot: '20260715T020000Z', name: 'close-2026-06' },
  ]);
  // 15 July 2026 and 400 days: 365 to 15 July 2027, 35 more.
  expect((await harness.served(EMPTY, store))?.pins).toMatchObject([
    { name: 'close-2026-06', until: instantOf('2027-08-19T02:00:00.123456Z') },
  ]);
});
