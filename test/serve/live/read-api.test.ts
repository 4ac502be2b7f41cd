/** `READ_API=snapshots`: the newest snapshot answers, no reader touches the ledger, and pulls miss no late commit. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { COMPANION_SET } from '../../../src/tables/companions.ts';
import { RESOURCES } from '../../../src/serve/resources/all.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import type { Store } from '../../../src/store/store.ts';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { flipStored, markTools, scrubNow } from '../../snapshot/keep/scrub-harness.ts';
import { DAY, readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { addCost, addInitiative, addValue, type Founded } from '../../support/ledger-rows.ts';
import { noLedger } from '../fake-ledger.ts';
import { namedIn } from '../named-in.ts';
import type { AppParts } from '../../../src/serve/app.ts';
import { asOf, cursorOf } from './as-of-walk.ts';
import { type Answer, type Ask, figuresApp, puller, walk } from './figures-app.ts';
import { describeInSweeps, itInSweeps } from '../../support/sweeps.ts';

const TODAY = '2026-07-15';
/** A month of the fixture company that is not locked. */
const OPEN = { period_start: '2026-07-01', period_end: '2026-07-31' };

let harness: BuildHarness;
let checks: SetChecks;
let owner: Client;
let late: Client;
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), readChecksBeside([COMPANION_SET])]);
  owner = await harness.database.client('cf_owner');
  late = await harness.database.client('cf_owner');
});
afterAll(() => harness.close());

/** Publishes the snapshot of a night. */
async function publish(store: Store, night: number): Promise<string> {
  const at = AT + BigInt(night) * DAY;
  return (await harness.build({ store, at, checksBeside: checks })).snapshot_id;
}

/** A server without a ledger that answers from the snapshots of the store. */
function askOver(store: Store, now: bigint, replaced: Partial<AppParts> = {}): Ask {
  return figuresApp(harness.database, 1n, TODAY, {
    snapshots: readerAt(store, () => now),
    inAccount: noLedger,
    readApi: 'snapshots',
    ...replaced,
  });
}

function message({ body }: Answer): string {
  return (body['error'] as { message: string }).message; // of the contract's shape
}

/**
 * Each night a writer changes rows and stays open while another writer commits later changes and the snapshot is built.
 * The writer commits after the build; then every list is pulled. Returns the pulled rows, and the rows of the ledger.
 */
async function pullsThrough(nights: number) {
  const store = memoryStore(new Map());
  const pullers = ['cost_entries', 'value_entries', 'initiatives'].map((name) => puller(`/${name}`));
  const home: Founded = { account: 1n, person: 1n, initiative: await addInitiative(owner, 1n) };
  const edited = await addCost(owner, home, OPEN);
  const entered: bigint[] = [];
  const costs = pullers[0]?.rows ?? new Map<unknown, unknown>();
  let before: number | null = null;
  for (let night = 1; night <= nights; night += 1) {
    await late.query("begin; set local app.account_id = '1'");
    await late.query(`update ledger.cost_entries set notes = 'late ${night}' where id = ${edited}`);
    entered.push(await addCost(late, home, OPEN), await addValue(late, home, OPEN));
    // Stamped after the open writer's rows: a list that showed it would move a client past these.
    const early = Number(await addCost(owner, home, OPEN));
    const id = await publish(store, night);
    await late.query('commit');
    const ask = askOver(store, AT + BigInt(night) * DAY);
    for (const each of pullers) await each.pull(ask);
    const frozen = await walk(ask, asOf('/cost_entries', id), 500);
    // A list without `snapshot_id` holds the change back, and the next snapshot delivers it; a named snapshot is whole.
    expect([night, costs.has(early), frozen.some((row) => row['id'] === early)]).toEqual([
      night,
      false,
      true,
    ]);
    expect([night, before === null || costs.has(before)]).toEqual([night, true]);
    before = early;
  }
  await publish(store, nights + 1);
  const live = figuresApp(harness.database, 1n, TODAY);
  const last = askOver(store, AT + BigInt(nights + 1) * DAY);
  const pulled: unknown[][] = [];
  const ledger: unknown[][] = [];
  for (const each of pullers) {
    await each.pull(last);
    pulled.push([...each.rows.values()].toSorted(byId));
    ledger.push((await walk(live, each.path, 500)).toSorted(byId));
  }
  const ids = pullers.flatMap(({ rows }) => [...rows.keys()]);
  expect(ids).toEqual(expect.arrayContaining(entered.map(Number)));
  return { pulled, ledger };
}

function byId(a: Record<string, unknown>, b: Record<string, unknown>): number {
  return Number(a['id']) - Number(b['id']);
}

/** A store in which the second night has not been published. */
async function onlyFirst(): Promise<Store> {
  const alone = memoryStore(new Map());
  await publish(alone, 0);
  return alone;
}

describe('a server with READ_API=snapshots', () => {
  const objects = new Map<string, Uint8Array>();
  let store: Store;
  let ids: string[];
  beforeAll(async () => {
    store = memoryStore(objects);
    ids = [await publish(store, 0), await publish(store, 1)];
  });

  /** A server whose newest snapshot says that the oldest open transaction began then; null for a standby. */
  function askSince(changes_from: bigint | null): Ask {
    const reader = readerAt(store, () => AT + DAY);
    const latest: typeof reader.latest = async (account_id) => {
      const found = await reader.latest(account_id);
      return found === null ? null : { ...found, changes_from };
    };
    const other = { ...reader, latest };
    return askOver(store, AT + DAY, { snapshots: { ...other, named: namedIn(other) } });
  }

  it('answers figures and records from the newest snapshot, without the ledger, and gives their address by id', async () => {
    const ask = askOver(store, AT + DAY);
    for (const path of ['/roi', '/roi?window=fy2026-q1&initiative_id=101', '/initiatives/101']) {
      const [unnamed, named] = [await ask(path), await ask(asOf(path, ids[1]))];
      expect([path, unnamed.status, unnamed.body]).toEqual([path, 200, named.body]);
      expect(unnamed.body).toMatchObject({ snapshot_id: ids[1] });
      expect(unnamed.headers.get('content-location')).toBe(`/v1${asOf(path, ids[1])}`);
      expect(unnamed.headers.get('cache-control')).toContain('no-cache');
    }
  });

  it('answers every list without the ledger, with no address by id, whose answer may have more rows', async () => {
    const ask = askOver(store, AT + DAY);
    for (const { name } of RESOURCES) {
      const { status, headers, body } = await ask(`/${name}`);
      expect([name, status, body['snapshot_id']]).toEqual([name, 200, ids[1]]);
      expect([name, headers.get('x-snapshot-id'), headers.get('content-location')]).toEqual([
        name,
        ids[1],
        null,
      ]);
    }
  });

  it('holds back rows changed since the oldest open transaction, in every list and in /budgets', async () => {
    const ask = askSince(1n);
    for (const name of [...RESOURCES.map((each) => each.name), 'budgets']) {
      const all = await walk(ask, asOf(`/${name}`, ids[1]), 500);
      expect([name, all.length > 0, await walk(ask, `/${name}`, 500)]).toEqual([name, true, []]);
    }
  });

  itInSweeps('keeps a cursor on its snapshot until that has expired', async () => {
    const [before, after] = [askOver(store, AT + DAY - 1n), askOver(store, AT + DAY)];
    const newest = await after('/cost_entries?limit=2');
    const older = await askOver(await onlyFirst(), AT)('/cost_entries?limit=2');
    expect([older.body['snapshot_id'], newest.body['snapshot_id']]).toEqual(ids);
    const next = `/cost_entries?limit=2&cursor=${cursorOf(older)}`;
    expect((await after(next)).body['snapshot_id']).toBe(ids[0]);
    expect((await before(next)).body['snapshot_id']).toBe(ids[0]);
    const expired = await askOver(store, AT + 100n * DAY)(next);
    expect([expired.status, message(expired)]).toEqual([
      404,
      'This snapshot was kept for 14 days and expired on 2026-07-29.',
    ]);
  });

  it('refuses samples, cursors of live lists, and lists of a snapshot that a standby gave', async () => {
    const ask = askOver(store, AT + DAY);
    expect(message(await ask('/roi?include_sample=true'))).toBe(
      'The parameter include_sample must be false: this server answers from snapshots, which hold no sample initiatives.',
    );
    const live = cursorOf(await figuresApp(harness.database, 1n, TODAY)('/cost_entries?limit=2'));
    expect(message(await ask(`/cost_entries?limit=2&cursor=${live}`))).toBe(
      'The parameter cursor does not belong to this list with these parameters.',
    );
    const fromStandby = askSince(null);
    const refused = await fromStandby('/cost_entries');
    expect([refused.status, message(refused)]).toEqual([
      400,
      'The parameter snapshot_id must be sent: the newest snapshot was read from a standby, which does not know the open transactions. Send snapshot_id=latest for the whole list.',
    ]);
    expect((await fromStandby('/cost_entries?snapshot_id=latest')).status).toBe(200);
    expect((await fromStandby('/roi')).status).toBe(200);
  });

  itInSweeps(
    'refuses lists of a newest snapshot without companion tables, and answers /roi from it',
    async () => {
      const alone = memoryStore(new Map());
      await harness.build({ store: alone, at: AT });
      const ask = askOver(alone, AT);
      const refused = await ask('/value_entries');
      expect([refused.status, message(refused)]).toEqual([
        400,
        `Snapshot ${ids[0]} has no rows of value_entries: an older version built it, or the account had switched companion tables off.`,
      ]);
      expect((await ask('/roi')).status).toBe(200);
    },
  );

  it('answers the name of a pin from the newest snapshot that has it, and a cursor from its own', async () => {
    const copy = memoryStore(new Map(objects));
    const [first = '', second = ''] = ids;
    const clock = { now: AT + DAY };
    const tools = markTools(copy, clock);
    const pinNow = (snapshot_id: string, name: string) =>
      pin({ account_id: 1n, snapshot_id, name, by: 'test', now: clock.now, until: AT + 100n * DAY }, tools);
    await pinNow(first, 'old');
    await pinNow(first, 'close');
    const named = async (name: string) =>
      (await askOver(copy, clock.now)(asOf('/roi', name))).body['snapshot_id'];
    expect([await named('old'), await named('close'), await named('latest')]).toEqual([first, first, second]);
    const page = await askOver(copy, clock.now)(asOf('/cost_entries?limit=2', 'close'));
    await pinNow(second, 'close');
    expect([await named('old'), await named('close')]).toEqual([first, second]);
    const next = asOf(`/cost_entries?limit=2&cursor=${cursorOf(page)}`, 'close');
    expect((await askOver(copy, clock.now)(next)).body['snapshot_id']).toBe(first);
    // By its id, the second snapshot does not go on where a page of the first ended.
    const foreign = await askOver(copy, clock.now)(next.replace('close', second));
    expect([foreign.status, message(foreign)]).toEqual([
      400,
      'The parameter cursor does not belong to this list with these parameters.',
    ]);
  });

  it('answers nothing of a snapshot in which a scrub found damage, by id, pin or latest, also what it answered before', async () => {
    const damaged = new Map(objects);
    const copy = memoryStore(damaged);
    const clock = { now: AT + DAY };
    const [, second = ''] = ids;
    const named = { account_id: 1n, snapshot_id: second, name: 'close', by: 'test' };
    await pin({ ...named, now: clock.now, until: AT + 100n * DAY }, markTools(copy, clock));
    let now = clock.now;
    const ask = figuresApp(harness.database, 1n, TODAY, {
      snapshots: readerAt(copy, () => now),
      inAccount: noLedger,
      readApi: 'snapshots',
    });
    const paths = ['/roi', '/initiatives/101', '/metrics', '/cost_entries?limit=2'];
    const asked = paths.flatMap((path) => [
      path,
      ...[second, 'close', 'latest'].map((name) => asOf(path, name)),
    ]);
    for (const path of asked) expect([path, (await ask(path)).status]).toEqual([path, 200]);
    // A file that none of these answers reads.
    flipStored(damaged, new RegExp(`/${second}-[^/]*/value_inputs\\.parquet$`));
    clock.now += 2n * DAY;
    now = clock.now;
    expect((await scrubNow(copy, clock)).damaged).toBe(1);
    now += 10_000_000n;
    for (const path of asked) {
      expect([path, (await ask(path)).status]).toEqual([path, 503]);
    }
    expect((await ask(asOf('/roi', ids[0]))).status).toBe(200);
  });

  it('is 404 for an account without a snapshot', async () => {
    const ask = askOver(memoryStore(new Map()), AT);
    expect([(await ask('/roi')).status, (await ask('/metrics')).status]).toEqual([404, 404]);
  });
});

// Last, because these change the company's ledger.
describeInSweeps('a client that pulls what changed every night from snapshots', () => {
  it('misses no row that commits late over two nights', async () => {
    const { pulled, ledger } = await pullsThrough(2);
    expect(pulled).toEqual(ledger);
  });

  it('misses no row that commits late over ten nights', async () => {
    const { pulled, ledger } = await pullsThrough(10);
    expect(pulled).toEqual(ledger);
  });
});
