/** The comparison that a build stores is the comparison that a reader would make; a damaged one is never read. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompareTools, Pair } from '../../src/diff/compare.ts';
import { encodeCanonical, decodeCanonical } from '../../src/snapshot/format/canonical-json.ts';
import { isCrossfootError } from '../../src/errors.ts';
import { retract } from '../../src/snapshot/keep/retract.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { type NightChanges, readNightChanges } from '../../src/webhooks/night-changes.ts';
import type { Store } from '../../src/store/store.ts';
import { FAULTS, faultyStore } from '../snapshot/builder/faulty-store.ts';
import { DAY, readerAt } from '../snapshot/builder/build-harness.ts';
import { markTools } from '../snapshot/keep/scrub-harness.ts';
import { compareTools } from './compared.ts';
import { ACCOUNT } from './history-harness.ts';
import { DAYS, keptHistory, type PublishedHistory } from './published-history.ts';
import { copyOf } from '../store/memory-store.ts';
import {
  readDiff,
  rowsIn,
  rowsNow,
  storeNow,
  storeOf,
  type WholeDiff,
  withAnswer,
  withoutEngine,
} from './stored-harness.ts';

const NOW = DAYS[1];

let history: PublishedHistory;
let tools: CompareTools;
let pair: Pair;
/** The account's objects before and after its comparison was stored. */
let published: ReadonlyMap<string, Uint8Array>;
let compared: ReadonlyMap<string, Uint8Array>;
/** The comparison made by the engine. */
let made: WholeDiff;
/** The rows that the engine writes for it, and tools that answer so at once, as the engine did. */
let rows: Buffer;
let known: CompareTools;

beforeAll(async () => {
  history = await keptHistory();
  const reader = readerAt(history.store, () => NOW);
  tools = await compareTools(history.root, reader);
  const [later, earlier] = await reader.list(ACCOUNT);
  if (later === undefined || earlier === undefined) throw new Error('two snapshots are published');
  pair = { account_id: ACCOUNT, earlier, later };
  published = await copyOf(history.store, `v1/a/${ACCOUNT}/`);
  made = await readDiff(history.store, pair, tools, NOW);
  rows = await rowsNow(pair, tools);
  known = withAnswer(tools, rows, made.tables);
  await storeNow(history.store, pair, tools, NOW);
  compared = await copyOf(history.store, `v1/a/${ACCOUNT}/`);
});
afterAll(() => history.close());

const added = (): string[] => [...compared.keys()].filter((key) => !published.has(key));
const keyOf = (name: string): string =>
  `v1/a/${ACCOUNT}/d/${pair.earlier.snapshot_id}~${pair.later.snapshot_id}/${name}`;
const read = (store: Parameters<typeof readDiff>[0], by = withoutEngine(tools)) =>
  readDiff(store, pair, by, NOW);

async function nightChanges(store: Store): Promise<NightChanges | null> {
  const log = createReader({ store, now: () => NOW, onFault: () => undefined });
  const from = await log.entryOf(ACCOUNT, pair.earlier.snapshot_id);
  const to = await log.entryOf(ACCOUNT, pair.later.snapshot_id);
  if (from === null || to === null) throw new Error('both are published');
  return await readNightChanges(store, { log: await log.logOf(ACCOUNT), from, to });
}

describe('a stored comparison', () => {
  it('tells the totals of all time that moved, as its own rows have them', async () => {
    const changes = await nightChanges(storeOf(compared).store);
    const row = made.changes.find(({ key }) => key['scope'] === 'portfolio' && key['window_key'] === 'all');
    const watched = ['cash_value_cents', 'freed_capacity_cents', 'cost_cents'];
    const moved = (row?.moved ?? []).filter(({ figure }) => watched.includes(figure));
    expect(moved.length).toBeGreaterThan(0);
    expect(changes).toEqual({
      compared_with: pair.earlier.snapshot_id,
      totals: moved.map(({ figure, before_cents, after_cents }) => ({ figure, before_cents, after_cents })),
      budgets: [],
    });
  });

  it('tells nothing if it is missing, or if a byte of its record or rows is another', async () => {
    expect(await nightChanges(storeOf(published).store)).toBe(null);
    for (const name of ['comparison.json', 'changes.ndjson.gz']) {
      const { store, objects } = storeOf(compared);
      const bytes = Buffer.from(objects.get(keyOf(name)) ?? []);
      bytes[bytes.length - 10] = (bytes[bytes.length - 10] ?? 0) ^ 1;
      objects.set(keyOf(name), bytes);
      expect([name, await nightChanges(store)]).toEqual([name, null]);
    }
  });

  it('has two objects, below the ids of its snapshots', () => {
    expect(added().toSorted()).toEqual([keyOf('changes.ndjson.gz'), keyOf('comparison.json')]);
  });

  it('has the rows of a comparison made now, byte for byte', () => {
    expect(made.changes.length).toBeGreaterThan(20);
    expect(rowsIn(compared).equals(rows)).toBe(true);
  });

  it('is read without the engine, with the same tables and rows', async () => {
    expect(await read(storeOf(compared).store)).toEqual(made);
  });

  it('is read with two more calls of the store: the record and the rows', async () => {
    const keys: string[] = [];
    const { store } = storeOf(compared);
    await read({
      ...store,
      readSmall: (key, cap) => (keys.push(key), store.readSmall(key, cap)),
      readRange: (key, offset, length) => (keys.push(key), store.readRange(key, offset, length)),
    });
    expect(keys.filter((key) => key.includes('/d/'))).toEqual([
      keyOf('comparison.json'),
      keyOf('changes.ndjson.gz'),
    ]);
  });

  it('is not read for a retracted snapshot: the two are compared', async () => {
    const { store } = storeOf(compared);
    const { snapshot_id } = pair.earlier;
    const why = {
      account_id: ACCOUNT,
      snapshot_id,
      reason: 'wrong',
      replaced_by: null,
      by: 'test',
      now: NOW,
    };
    const retraction = await retract(why, markTools(store, { now: NOW }));
    const earlier = { ...pair.earlier, retraction };
    await expect(readDiff(store, { ...pair, earlier }, withoutEngine(tools), NOW)).rejects.toThrow(
      'compared',
    );
    expect(await readDiff(store, { ...pair, earlier }, tools, NOW)).toEqual(made);
    expect(await storeNow(store, { ...pair, earlier }, tools, NOW)).toBeNull();
  });

  it('is not read once one of its snapshots has expired', async () => {
    const { store } = storeOf(compared);
    // Fourteen days after 14 July the earlier snapshot has expired: the log says so before the comparison is looked at.
    const late = readDiff(store, pair, withoutEngine(tools), NOW + 14n * DAY);
    await expect(late).rejects.toThrow('compared');
  });

  it('made by other rules is not read', async () => {
    const [first, ...others] = tools.sql;
    if (first === undefined) throw new Error('a comparison has scripts');
    const changed = { ...tools, sql: [{ ...first, sql: `${first.sql}\n` }, ...others] };
    await expect(read(storeOf(compared).store, withoutEngine(changed))).rejects.toThrow('compared');
    expect(await read(storeOf(compared).store, changed)).toEqual(made);
  });
});

/** The record with other facts, canonical again. */
const altered = (facts: object) => (bytes: Uint8Array) =>
  encodeCanonical({ ...(decodeCanonical(bytes) as object), ...facts });
const flipped = (at: number) => (bytes: Uint8Array) => {
  const bad = Buffer.from(bytes);
  const index = Math.floor((bad.length - 1) * at);
  bad[index] = (bad[index] ?? 0) ^ 1;
  return bad;
};

describe('a damaged comparison is never read, and a new one is made:', () => {
  it.each([
    ['a bit of its record', 'comparison.json', flipped(0.5)],
    ['a record that is too large', 'comparison.json', (bytes: Uint8Array) => Buffer.alloc(70_000, bytes)],
    ['a record of another account', 'comparison.json', altered({ account_id: 8 })],
    [
      'a record of another snapshot',
      'comparison.json',
      altered({ to: { snapshot_id: '20260714T020000Z', manifest_sha256: '0'.repeat(64) } }),
    ],
    [
      'a record of another build of the snapshot',
      'comparison.json',
      altered({ to: { snapshot_id: '20260715T020000Z', manifest_sha256: '0'.repeat(64) } }),
    ],
    ['more rows than its record counts', 'comparison.json', altered({ tables: [] })],
    ['more bytes than its record counts', 'comparison.json', altered({ rows_bytes: 10 })],
    ['fewer bytes than its record counts', 'comparison.json', altered({ rows_bytes: 10_000_000 })],
    ['the first bit of its rows', 'changes.ndjson.gz', flipped(0)],
    ['a bit in the midst of its rows', 'changes.ndjson.gz', flipped(0.5)],
    ['the last bit of its rows', 'changes.ndjson.gz', flipped(1)],
    ['rows cut short', 'changes.ndjson.gz', (bytes: Uint8Array) => bytes.subarray(0, -1)],
    ['no rows', 'changes.ndjson.gz', () => null],
  ] as const)('%s', async (_, name, damage) => {
    const { store, objects } = storeOf(compared);
    const bytes = damage(objects.get(keyOf(name)) ?? new Uint8Array());
    if (bytes === null) objects.delete(keyOf(name));
    else objects.set(keyOf(name), bytes);
    const { unread, ...diff } = await read(store, known);
    expect(diff).toEqual({ tables: made.tables, changes: made.changes });
    expect(unread).not.toBeNull();
  });

  it('rows of other bytes, in an object of the same size that unpacks to as many bytes', async () => {
    const { store, objects } = storeOf(compared);
    // A cost of one cent more. Instants of one digit alone compress better, and zeros after the end are ignored.
    const stored = rowsIn(compared).toString();
    const text = stored
      .replace('"amount_cents":9000', '"amount_cents":9001')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => instant.replaceAll(/\d/g, '1'));
    const size = objects.get(keyOf('changes.ndjson.gz'))?.length ?? 0;
    const zipped = gzipSync(text);
    expect([text.length, text === stored, zipped.length < size]).toEqual([stored.length, false, true]);
    objects.set(keyOf('changes.ndjson.gz'), Buffer.concat([zipped, Buffer.alloc(size - zipped.length)]));
    expect(await read(store, known)).toMatchObject({ changes: made.changes });
  });

  it('rows of other bytes that unpack to as many', async () => {
    const { store, objects } = storeOf(compared);
    const stored = rowsIn(compared).toString();
    // A cost of one cent more, in a text of the same length.
    const text = stored.replace('"amount_cents":9000', '"amount_cents":9001');
    expect(text).not.toBe(stored);
    objects.set(keyOf('changes.ndjson.gz'), gzipSync(text));
    expect(await read(store, known)).toMatchObject({ changes: made.changes });
  });

  it('rows without a record, as if no comparison existed', async () => {
    const { store, objects } = storeOf(compared);
    objects.delete(keyOf('comparison.json'));
    expect(await read(store, tools)).toEqual(made);
  });

  it('a store that refuses to read it: the two are compared', async () => {
    const { store } = storeOf(compared);
    const refusal = new Error('refused');
    const refusing = { ...store, readSmall: refusesComparisons(store, refusal) };
    expect(await read(refusing, tools)).toEqual({ ...made, unread: refusal });
  });
});

function refusesComparisons(store: Store, refusal: Error): Store['readSmall'] {
  return (key, cap) => (key.includes('/d/') ? Promise.reject(refusal) : store.readSmall(key, cap));
}

describe('the store of a comparison', () => {
  it.each(FAULTS)('that %s, at any call, leaves a whole comparison or none', async (fault) => {
    const left: boolean[] = [];
    for (let call = 1; ; call += 1) {
      const { store, objects } = storeOf(published);
      const faulty = faultyStore(store, fault, call);
      await storeNow(faulty, pair, known, NOW).catch((error: unknown) => {
        if (!isCrossfootError(error)) throw error;
      });
      expect({ call, ...(await read(store, known)) }).toEqual({ call, ...made });
      left.push(objects.has(keyOf('comparison.json')));
      if (!faulty.reached()) break;
    }
    // The first call fails before anything is stored; without a fault it is stored whole.
    expect([left.includes(false) || fault.startsWith('loses'), left.at(-1)]).toEqual([true, true]);
  });
});
