/**
 * The freeze test: inside a snapshot's own moment, every live answer and the answer as of that snapshot are the same JSON
 * but for `snapshot_id` and `generated_at`.
 */
import { bigInt, sample } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCompanionChecks } from '../../../src/run/build/build-account.ts';
import { RESOURCES } from '../../../src/serve/resources/all.ts';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { retract } from '../../../src/snapshot/keep/retract.ts';
import type { SqlScript } from '../../../src/sql-scripts.ts';
import type { Store } from '../../../src/store/store.ts';
import { seedAccount } from '../../../tools/seed/seed-account.ts';
import { describeInSweeps } from '../../support/sweeps.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { DAY, paceAt, readerAt } from '../../snapshot/build/build-harness.ts';
import { AT, type BuildHarness, change, openBuildHarness } from '../../snapshot/build/real-build.ts';
import { type Answer, type Ask, figuresApp } from './figures-app.ts';

const TODAY = '2026-07-15';
const ID = '20260715T020000Z';
const MOMENT = '2026-07-15T02:00:00.123456Z';
const WINDOWS = [
  'window=all',
  'window=1yr',
  'window=3yr',
  'window=fy2026',
  'window=fy2025-q3',
  'from=2025-02',
  'through=2026-01',
];

let harness: BuildHarness;
let checks: readonly SqlScript[];
/** The objects of a store with one snapshot of the company. */
let objects: ReadonlyMap<string, Uint8Array>;
let ask: Ask;
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), readCompanionChecks()]);
  ({ objects, ask } = await frozen(1n));
});
afterAll(() => harness.close());

/** A snapshot of the account with its companions, and the application over it and over the ledger on its day. */
async function frozen(account_id: bigint, companions = true) {
  const built = new Map<string, Uint8Array>();
  const store = memoryStore(built);
  await harness.build({ account_id, store, companionChecks: companions ? checks : undefined });
  return { objects: built, ask: askOver(store, account_id) };
}

function askOver(store: Store, account_id = 1n): Ask {
  return figuresApp(harness.database, account_id, TODAY, { snapshots: readerAt(store, () => AT + DAY) });
}

const asOf = (path: string, name = ID): string =>
  `${path}${path.includes('?') ? '&' : '?'}snapshot_id=${name}`;

/** The page without what differs: the two fields, and the text of its cursor, which seals the snapshot. */
function common({ body }: Answer): unknown {
  const { snapshot_id: _id, generated_at: _at, page, ...rest } = body;
  const { next_cursor, has_more } = (page ?? {}) as { next_cursor?: string | null; has_more?: boolean };
  return { ...rest, has_more, ends: next_cursor === null };
}

function message({ body }: Answer): string {
  return (body['error'] as { message: string }).message; // of the contract's shape
}

function cursorOf({ body }: Answer): string | null {
  return (body['page'] as { next_cursor: string | null }).next_cursor; // of the contract's shape
}

/** Walks a list live and as of the snapshot side by side. Returns its rows. */
async function sameList(over: Ask, path: string, limit: number): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let after: readonly [live: string, frozen: string] | null = null;
  for (;;) {
    const paged = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
    const live: Answer = await over(after === null ? paged : `${paged}&cursor=${after[0]}`);
    const then: Answer = await over(asOf(after === null ? paged : `${paged}&cursor=${after[1]}`));
    expect([path, then.status, common(then)]).toEqual([path, live.status, common(live)]);
    if (live.status !== 200) return rows;
    expect(then.body).toMatchObject({ snapshot_id: ID, generated_at: MOMENT });
    expect(live.body).not.toHaveProperty('snapshot_id');
    rows.push(...(live.body['data'] as Record<string, unknown>[]));
    const next: string | null = cursorOf(live);
    const frozenNext: string | null = cursorOf(then);
    if (next === null || frozenNext === null) return rows;
    after = [next, frozenNext];
  }
}

/** A few values of each filter, taken from the rows of the list. */
function filtersOf(filters: readonly string[], rows: readonly Record<string, unknown>[]): readonly string[] {
  const values = (field: string) => [
    ...new Set(rows.map((row) => row[field]).filter((value) => value !== null)),
  ];
  return filters.flatMap((filter) => {
    if (filter === 'include_sample') return ['include_sample=false'];
    if (filter === 'budgeted') return ['budgeted=true'];
    if (filter === 'period_from')
      return ['period_from=2026-02-01', 'period_from=2025-12-31&period_to=2026-03-15'];
    if (filter === 'period_to') return ['period_to=2026-01-31'];
    const field = filter === 'updated_since' ? 'updated_at' : filter;
    const some = values(field);
    const middle = some[Math.floor(some.length / 2)];
    const chosen = filter === 'updated_since' || filter === 'initiative_id' ? [some[0], middle] : some;
    const given = chosen.filter((value) => value !== undefined);
    return [
      ...new Set(
        given.map((value) => `${filter}=${encodeURIComponent(JSON.stringify(value).replaceAll('"', ''))}`),
      ),
    ];
  });
}

/** Compares all answers; returns how many lists and figures were compared. */
async function sameEverywhere(over: Ask): Promise<number> {
  let compared = 0;
  for (const { name, filters } of RESOURCES) {
    const rows = await sameList(over, `/${name}`, 500);
    expect([name, rows.length > 0]).toEqual([name, true]);
    await sameList(over, `/${name}`, 7);
    const each = filtersOf(Object.keys(filters), rows);
    compared += each.length;
    for (const filter of each) await sameList(over, `/${name}?${filter}`, 7);
    // Two filters at once: those of another kind beside each other.
    for (const [place, filter] of each.entries()) {
      const other = each[(place + 3) % each.length];
      if (other !== undefined && other.split('=')[0] !== filter.split('=')[0] && !other.includes('&'))
        await sameList(over, `/${name}?${filter}&${other}`.replace(/&period_to=[^&]*(?=.*period_to)/, ''), 5);
    }
  }
  const initiatives = await sameList(over, '/initiatives', 500);
  for (const id of initiatives.map((row) => String(row['id']))) {
    const [live, then] = [await over(`/initiatives/${id}`), await over(asOf(`/initiatives/${id}`))];
    expect(then.body).toEqual({ ...live.body, snapshot_id: ID, generated_at: MOMENT });
  }
  for (const scope of ['', ...initiatives.map((row) => `&initiative_id=${String(row['id'])}`)]) {
    for (const window of WINDOWS) {
      compared += 1;
      const path = `/roi?${window}${scope}`;
      const [live, then] = [await over(path), await over(asOf(path))];
      expect([path, then.body]).toEqual([path, { ...live.body, snapshot_id: ID, generated_at: MOMENT }]);
    }
  }
  return compared;
}

describe('an answer as of a snapshot', () => {
  it('is the live answer of its moment: every list, filter and page, every record, /roi of every window and scope', async () => {
    expect(await sameEverywhere(ask)).toBeGreaterThan(100);
  });
});

describe('the parameter snapshot_id', () => {
  it('takes an id, latest and the name of a pin, and only an answer by id is immutable', async () => {
    const store = memoryStore(new Map(objects));
    const over = askOver(store);
    const tools = { store, pace: paceAt(AT), newNonce: () => 'a'.repeat(32) };
    const wanted = { account_id: 1n, snapshot_id: ID, by: 'test', now: AT };
    await pin({ ...wanted, name: 'september-close', until: AT + 100n * DAY }, tools);
    const byId = await over(`/roi?snapshot_id=${ID}`);
    expect(byId.headers.get('cache-control')).toContain('immutable');
    expect(byId.headers.get('content-location')).toBeNull();
    expect(byId.headers.get('x-snapshot-id')).toBe(ID);
    expect(byId.headers.get('x-snapshot-retracted')).toBeNull();
    for (const name of ['latest', 'september-close']) {
      const { headers, body } = await over(`/roi?window=1yr&snapshot_id=${name}`);
      expect(body).toMatchObject({ snapshot_id: ID, generated_at: MOMENT });
      expect(headers.get('cache-control')).toContain('no-cache');
      expect(headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/);
      expect(headers.get('content-location')).toBe(`/v1/roi?window=1yr&snapshot_id=${ID}`);
    }
    const again = { ...wanted, reason: 'a wrong rate', replaced_by: null };
    await retract(again, { ...tools, newNonce: () => 'b'.repeat(32) });
    const { headers } = await askOver(store)(`/roi?snapshot_id=${ID}`);
    expect(headers.get('x-snapshot-retracted')).toBe(MOMENT);
    expect(headers.get('cache-control')).not.toContain('immutable');
  });

  it('is 404 for what names no readable snapshot, whatever its form, and 404 for what the snapshot lacks', async () => {
    for (const name of ['20200101T000000Z', 'nothing', '', '%00', 'a'.repeat(2000), '../latest']) {
      for (const path of ['/roi', '/metrics', '/initiatives/101']) {
        expect([name, (await ask(asOf(path, name))).status]).toEqual([name, 404]);
      }
    }
    for (const path of [
      '/roi?initiative_id=999999',
      '/budgets?initiative_id=999999',
      '/initiatives/999999',
      '/initiatives/x',
    ]) {
      expect([path, (await ask(asOf(path))).status]).toEqual([path, 404]);
    }
  });

  it('refuses samples, rows that the snapshot does not hold, and the cursor of another snapshot', async () => {
    for (const path of ['/roi', '/cost_entries', '/budgets']) {
      const refused = await ask(asOf(`${path}?include_sample=true`));
      expect([refused.status, message(refused)]).toEqual([
        400,
        'The parameter include_sample must be false with snapshot_id: a snapshot holds no sample initiatives.',
      ]);
    }
    const live = cursorOf(await ask('/cost_entries?limit=2'));
    const then = cursorOf(await ask(asOf('/cost_entries?limit=2')));
    const foreign = 'The parameter cursor does not belong to this list with these parameters.';
    expect(message(await ask(`/cost_entries?limit=2&cursor=${then}`))).toBe(foreign);
    expect(message(await ask(asOf(`/cost_entries?limit=2&cursor=${live}`)))).toBe(foreign);
    // `latest` stays on the snapshot of the cursor.
    const next = await ask(asOf(`/cost_entries?limit=2&cursor=${then}`, 'latest'));
    expect(next.body).toMatchObject({ snapshot_id: ID });
    const without = await frozen(1n, false);
    expect((await without.ask(asOf('/roi'))).status).toBe(200);
    const refused = await without.ask(asOf('/value_entries'));
    expect([refused.status, message(refused)]).toEqual([
      400,
      'The parameter snapshot_id names a snapshot without the rows of value_entries: an older version built it, or the account had switched companion tables off.',
    ]);
  });

  it('is never answered from a damaged block', async () => {
    const spoiled = new Map(objects);
    for (const [key, bytes] of objects) {
      if (!/\/(?:costs|api_metrics)\.parquet$/.test(key)) continue;
      const damaged = Uint8Array.from(bytes);
      damaged[40] = (damaged[40] ?? 0) ^ 1;
      spoiled.set(key, damaged);
    }
    const over = askOver(memoryStore(spoiled));
    for (const path of ['/roi', '/metrics'])
      expect([path, (await over(asOf(path))).status]).toEqual([path, 503]);
    expect((await over(asOf('/integrations'))).status).toBe(200);
  });
});

// Last, because it changes the company's ledger.
describe('a snapshot of the past', () => {
  it('answers the same, byte for byte, after entries, initiatives and fiscal years changed', async () => {
    const paths = [
      ...RESOURCES.map(({ name }) => `/${name}?limit=500`),
      '/roi?window=fy2026',
      '/initiatives/101',
    ];
    const answers = async () => await Promise.all(paths.map(async (path) => (await ask(asOf(path))).body));
    const before = await answers();
    const owner = await harness.database.client('cf_owner');
    await change(
      owner,
      `update ledger.accounts set fiscal_year_start_month = fiscal_year_start_month % 12 + 1;
       update ledger.initiatives set title = title || ' again';
       update ledger.metrics set name = name || ' again'`,
    );
    expect(await answers()).toEqual(before);
    expect((await ask('/initiatives/101')).body['title']).not.toBe(before.at(-1)?.['title']);
  });
});

const seeds = sample(bigInt({ min: 1n, max: 1_000_000n }), 3);
describeInSweeps.each(seeds)('an account generated from seed %s', (seed) => {
  it('has live and as of its snapshot the same answers', async () => {
    const owner = await harness.database.client('cf_owner');
    const account_id = await seedAccount(
      owner,
      { rows: 150, initiatives: 20, years: 3, inputs: 0, seed },
      () => undefined,
    );
    expect(await sameEverywhere((await frozen(account_id)).ask)).toBeGreaterThan(100);
  });
});
