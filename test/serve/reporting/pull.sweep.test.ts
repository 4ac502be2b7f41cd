import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../src/serve/resources/all.ts';
import { type Founded, foundAccount, insert } from '../../support/ledger-rows.ts';
import { type LiveCompany, openLive } from '../live/live-company.ts';
import { chanceFrom, type TEMPERS, writeSlowly } from '../http/slow-writers.ts';

const WRITERS = 50;
const SEED = randomInt(2 ** 31);

/** The lists that change, with the table behind each. */
const LISTS = RESOURCES.filter(({ filters }) => 'updated_since' in filters).map(({ name }) => ({
  name,
  table: { decisions: 'portfolio_decisions', integrations: 'connections', ai_usage: 'usage' }[name] ?? name,
}));

interface Listed {
  readonly data: readonly { readonly id: number; readonly updated_at: string }[];
  readonly page: { readonly next_cursor: string | null; readonly has_more: boolean };
}

/** A copy of the account as a client of the API keeps it: all rows once, then what changed since the last one seen. */
class Copy {
  readonly rows = new Map<string, string>();
  readonly #since = new Map<string, string>();
  readonly #company: LiveCompany;

  constructor(company: LiveCompany) {
    this.#company = company;
  }

  async pull(lists: typeof LISTS): Promise<void> {
    for (const { name } of lists) {
      const since = this.#since.get(name);
      const first = `/${name}?limit=40${since === undefined ? '' : `&updated_since=${since}`}`;
      let path: string | null = first;
      while (path !== null) {
        const { body } = await this.#company.ask(path);
        const { data, page } = body as Listed;
        for (const { id, updated_at } of data) {
          this.rows.set(`${name} ${id}`, updated_at);
          this.#since.set(name, updated_at);
        }
        path = page.next_cursor === null ? null : `${first}&cursor=${page.next_cursor}`;
      }
    }
  }
}

type Between = NonNullable<Parameters<typeof openLive>[2]>;

interface PullHarness extends AsyncDisposable {
  readonly company: LiveCompany;
  readonly home: Founded;
}

/** An account of its own to write to. */
async function openPullHarness(between?: Between): Promise<PullHarness> {
  const company = await openLive('template_ledger', {}, between);
  const owner = await company.database.client('cf_owner');
  const home = await foundAccount(owner, { id: 1 });
  await owner.query(
    "insert into ledger.platforms (key, name, category) values ('books', 'Books', 'finance')",
  );
  return { company, home, [Symbol.asyncDispose]: () => company.close() };
}

interface Busy {
  readonly slowly: keyof typeof TEMPERS;
  readonly writers: number;
  readonly lists: typeof LISTS;
}

/** Rows of the ledger that the copy does not have, or has as they were before, after pulling while others wrote. */
async function missed(
  { company, home }: PullHarness,
  { slowly, writers, lists }: Busy,
): Promise<readonly string[]> {
  const { database } = company;
  const owner = await database.client('cf_owner');
  const metric = await insert(owner, 'ledger.metrics', {
    account_id: 1,
    metric_key: 'minutes',
    name: 'Minutes',
  });
  const connection_id = await insert(owner, 'ledger.connections', {
    account_id: 1,
    platform_key: 'books',
    status: 'active',
  });
  const bill = await insert(owner, 'ledger.provider_bills', {
    account_id: 1,
    connection_id,
    month: '2026-04-01',
    amount_cents: 100,
    ai_amount_cents: 100,
    currency: 'USD',
  });
  const clients = await Promise.all(Array.from({ length: writers }, () => database.client('cf_writer')));
  const tables = lists.map(({ table }) => table);
  const state = { writing: true };
  const written = Promise.all(
    clients.map((client, index) =>
      writeSlowly({ client, home, metric, bill, index, slowly, tables, chance: chanceFrom(SEED + index) }),
    ),
  ).finally(() => {
    state.writing = false;
  });
  const copy = new Copy(company);
  while (state.writing) await copy.pull(lists);
  await written;
  await copy.pull(lists);
  const lost: string[] = [];
  for (const { name, table } of lists) {
    const { rows } = await owner.query<{ id: bigint; updated_at: string }>(
      `select id, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as updated_at from ledger.${table}`,
    );
    expect(rows.length).toBeGreaterThan(writers / 2);
    lost.push(
      ...rows
        .map(({ id, updated_at }) => `${name} ${id} of ${updated_at}`)
        .filter((row) => {
          const [list, id, , stamp] = row.split(' ');
          return copy.rows.get(`${list} ${id}`) !== stamp;
        }),
    );
  }
  return lost;
}

/** One whose rows are stamped with the start of their transaction. */
async function openStampedEarly(): Promise<PullHarness> {
  const harness = await openPullHarness();
  const owner = await harness.company.database.client('cf_owner');
  const { rows } = await owner.query<{ source: string }>(
    "select pg_get_functiondef('service.stamp'::regproc) as source",
  );
  const source = rows[0]?.source ?? '';
  expect(source).toContain('new.updated_at := clock_timestamp();');
  await owner.query(source.replace('new.updated_at := clock_timestamp();', 'new.updated_at := now();'));
  return harness;
}

/** What is missed in one of three tries: the time of a commit is chance, and sometimes no commit came between. */
async function missedInSome(open: () => Promise<PullHarness>, busy: Busy): Promise<readonly string[]> {
  for (let tries = 1; ; tries += 1) {
    await using harness = await open();
    const lost = await missed(harness, busy);
    if (lost.length > 0 || tries === 3) return lost;
  }
}

describe(`a copy pulled while ${WRITERS} writers commit with random delays (seed ${SEED})`, () => {
  it.each(['dawdle', 'hold'] as const)('equals the ledger when some %s: no row is missed', async (slowly) => {
    await using harness = await openPullHarness();
    expect(await missed(harness, { slowly, writers: WRITERS, lists: LISTS })).toEqual([]);
  });

  // What keeps the promise, taken away piece by piece: each piece must be needed. Few write here, and into one list:
  // of many at once somebody always holds the horizon back, which hides what went wrong behind it.
  const FEW = { writers: 12, lists: LISTS.filter(({ name }) => name === 'cost_entries') };

  it('misses rows that are stamped with the start of their transaction', async () => {
    expect(await missedInSome(openStampedEarly, { ...FEW, slowly: 'dawdle' })).not.toEqual([]);
  });

  it('misses rows when the horizon is read after them', async () => {
    const FAR = 7_258_118_399_999_999n; // the end of 2199
    const between: Between = (query) => async (text, values) => {
      const horizon = 'select service.write_horizon() as horizon';
      if (text.includes('write_horizon')) return { ...(await query(horizon)), rows: [{ horizon: FAR }] };
      const found = await query(text, values);
      if (!text.includes('order by updated_at, id')) return found;
      // However little time passes, someone may commit in it; here it is enough that someone does.
      await query('select pg_sleep(0.05)');
      const [second] = (await query(horizon)).rows as [{ horizon: bigint }];
      const rows = found.rows as { updated_at: bigint }[];
      return { ...found, rows: rows.filter(({ updated_at }) => updated_at < second.horizon) };
    };
    expect(await missedInSome(() => openPullHarness(between), { ...FEW, slowly: 'hold' })).not.toEqual([]);
  });

  it('misses rows when the horizon is worked out by the reader itself, to whom writers are hidden', async () => {
    const PLAIN = `least(clock_timestamp(), (
      select min(xact_start) from pg_stat_activity
      where backend_xid is not null and pid <> pg_backend_pid() and datname = current_database()))`;
    const between: Between = (query) => (text, values) =>
      query(text.replace('service.write_horizon()', PLAIN), values);
    expect(await missedInSome(() => openPullHarness(between), { ...FEW, slowly: 'hold' })).not.toEqual([]);
  });
});
