import { describe, expect, test } from 'vitest';
import { itInSweeps } from '../../support/sweeps.ts';
import { appendMark } from '../../../src/snapshot/keep/append-mark.ts';
import { logKey, markKey } from '../../../src/snapshot/format/keys.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import type { Store } from '../../../src/store/store.ts';
import { published } from './counted-reader.ts';
import { readAll } from '../../store/contract.ts';
import {
  aBuild,
  ACCOUNT,
  DAY,
  HOUR,
  MIDNIGHT,
  clockAt,
  publishNow,
  readerAt,
  SECOND,
} from '../builder/build-harness.ts';
import { instantOf } from '../../support/instant-of.ts';

const first = aBuild('first', MIDNIGHT + 500_000n);
const second = aBuild('second', MIDNIGHT + DAY);
const FIRST_ID = '20260301T000000Z';
const SECOND_ID = '20260302T000000Z';

test('the reader has nothing before the first snapshot (F-47)', async () => {
  const { reader } = await published();
  expect(await reader.latest(ACCOUNT)).toBeNull();
  expect(await reader.pinned(ACCOUNT, FIRST_ID)).toBeNull();
  expect(await reader.list(ACCOUNT)).toEqual([]);
});

test('the reader gives the newest, the pinned and the list, without what only the builder needs', async () => {
  const { reader } = await published(first, second);
  const latest = await reader.latest(ACCOUNT);
  expect(latest).toMatchObject({ snapshot_id: SECOND_ID, expires_at: null, pins: [], retraction: null });
  expect(latest).not.toHaveProperty('nonce');
  expect(latest).not.toHaveProperty('pg_snapshot');
  expect(await reader.pinned(ACCOUNT, FIRST_ID)).toMatchObject({
    generated_at: instantOf('2026-03-01T00:00:00.500000Z'),
  });
  const listed = await reader.list(ACCOUNT);
  expect(listed.map((one) => one.snapshot_id)).toEqual([SECOND_ID, FIRST_ID]);
});

test("the reader does not know another account's snapshot, an id never made or a text that is no id", async () => {
  const { reader } = await published(first);
  expect(await reader.pinned(8n, FIRST_ID)).toBeNull();
  expect(await reader.pinned(ACCOUNT, SECOND_ID)).toBeNull();
  expect(await reader.pinned(ACCOUNT, '../../8/log/1')).toBeNull();
  await expect(reader.openTable(8n, FIRST_ID, 'costs')).rejects.toMatchObject({ code: 'not_found' });
  await expect(reader.openTable(ACCOUNT, FIRST_ID, 'initiatives')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('the cache of the reader stays within its limit', async () => {
  const { objects, store, clock } = await published(first);
  const reader = createReader({ store, now: () => clock.now, onFault: () => undefined, cache_bytes: 1 });
  await readAll(await reader.openTable(ACCOUNT, FIRST_ID, 'costs'));
  for (const key of objects.keys()) if (key.endsWith('costs.parquet')) objects.delete(key);
  const damaged = { code: 'file_corrupt' };
  await expect(reader.openTable(ACCOUNT, FIRST_ID, 'costs')).rejects.toMatchObject(damaged);
});

test('the reader refuses a damaged file without being asked for a byte, once it was found', async () => {
  const { objects, reader } = await published(first);
  await expect(reader.refuseDamaged(ACCOUNT, FIRST_ID, 'costs')).resolves.toBeUndefined();
  const saved = new Map(objects);
  for (const key of objects.keys()) if (key.endsWith('costs.parquet')) objects.delete(key);
  await expect(reader.refuseDamaged(ACCOUNT, FIRST_ID, 'costs')).resolves.toBeUndefined();
  const damaged = { code: 'file_corrupt' };
  await expect(reader.openTable(ACCOUNT, FIRST_ID, 'costs')).rejects.toMatchObject(damaged);
  await expect(reader.refuseDamaged(ACCOUNT, FIRST_ID, 'costs')).rejects.toMatchObject(damaged);
  for (const [key, bytes] of saved) objects.set(key, bytes);
  await expect(reader.openTable(ACCOUNT, FIRST_ID, 'costs')).rejects.toMatchObject(damaged); // not five seconds yet
  await expect(reader.refuseDamaged(ACCOUNT, FIRST_ID, 'snapshot')).resolves.toBeUndefined();
  await expect(reader.refuseDamaged(ACCOUNT, FIRST_ID, 'budgets')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('the reader serves a restored file five seconds after a scrub lifted its quarantine, though other marks are read once a minute', async () => {
  const { reader, store, clock } = await published(first);
  const said = { snapshot_id: FIRST_ID, at: instantOf('2026-03-02T00:00:00.000000Z'), by: 'a scrub' };
  await appendMark(ACCOUNT, () => ({ ...said, kind: 'quarantined', files: ['costs.parquet'] }), {
    store,
    clock: clockAt(clock.now),
    newNonce: () => 'a'.repeat(32),
  });
  const refused = expect.objectContaining({ code: 'file_corrupt' });
  await expect(reader.openTable(ACCOUNT, FIRST_ID, 'costs')).rejects.toEqual(refused);
  await appendMark(ACCOUNT, () => ({ ...said, kind: 'restored' }), {
    store,
    clock: clockAt(clock.now),
    newNonce: () => 'b'.repeat(32),
  });
  clock.now += 5n * SECOND - 1n;
  await expect(reader.openTable(ACCOUNT, FIRST_ID, 'costs')).rejects.toEqual(refused);
  clock.now += 1n;
  await readAll(await reader.openTable(ACCOUNT, FIRST_ID, 'costs'));
});

describe('the store is asked', () => {
  test('not at all within five seconds, then once', async () => {
    const { reader, calls, clock } = await published(first);
    await reader.latest(ACCOUNT);
    calls.length = 0;
    clock.now += 5n * SECOND - 1n;
    await reader.latest(ACCOUNT);
    expect(calls).toEqual([]);
    clock.now += 1n;
    await reader.latest(ACCOUNT);
    expect(calls).toEqual([logKey(ACCOUNT, 2)]);
  });

  test('once for any number of readers at the same time', async () => {
    const { reader, calls } = await published(first);
    await Promise.all(Array.from({ length: 20 }, () => reader.latest(ACCOUNT)));
    expect(calls.filter((key) => key === logKey(ACCOUNT, 1))).toHaveLength(1);
  });

  test('again when the clock was set back', async () => {
    const { reader, calls, clock } = await published(first);
    await reader.latest(ACCOUNT);
    calls.length = 0;
    clock.now -= HOUR;
    await reader.latest(ACCOUNT);
    expect(calls).toEqual([logKey(ACCOUNT, 2), markKey(ACCOUNT, 1)]);
  });

  test('for marks once a minute', async () => {
    const { reader, calls, clock } = await published(first);
    await reader.latest(ACCOUNT);
    calls.length = 0;
    clock.now += 60n * SECOND - 1n;
    await reader.latest(ACCOUNT);
    clock.now += 1n;
    await reader.latest(ACCOUNT);
    expect(calls).toEqual([logKey(ACCOUNT, 2), markKey(ACCOUNT, 1)]);
  });

  test('again after a call that failed', async () => {
    const { store, clock } = await published(first);
    let down = true;
    const flaky: Store = {
      ...store,
      readSmall: (key, cap) => (down ? Promise.reject(new Error('down')) : store.readSmall(key, cap)),
    };
    const reader = readerAt(flaky, () => clock.now);
    await expect(reader.latest(ACCOUNT)).rejects.toThrow('down');
    down = false;
    expect(await reader.latest(ACCOUNT)).toMatchObject({ snapshot_id: FIRST_ID });
  });

  test('a new snapshot is seen within five seconds, and at once by its id or where the log is asked for anew', async () => {
    const { reader, store, clock, calls } = await published(first);
    await reader.latest(ACCOUNT);
    await publishNow(store, second);
    expect(await reader.latest(ACCOUNT)).toMatchObject({ snapshot_id: FIRST_ID });
    expect(await reader.pinned(ACCOUNT, SECOND_ID)).toMatchObject({ snapshot_id: SECOND_ID });
    await publishNow(store, aBuild('third', MIDNIGHT + 2n * DAY));
    await reader.logOf(ACCOUNT, 0n);
    expect(await reader.latest(ACCOUNT)).toMatchObject({ snapshot_id: '20260303T000000Z' });
    calls.length = 0;
    expect(await reader.pinned(ACCOUNT, '20260301T120000Z')).toBeNull(); // older than the newest: it cannot come any more
    expect(calls).toEqual([]);
    clock.now += 5n * SECOND;
    expect(await reader.latest(ACCOUNT)).toMatchObject({ snapshot_id: '20260303T000000Z' });
  });
});

describe('a kept snapshot', () => {
  test('stays 14 days when it was superseded early', async () => {
    const { reader, clock } = await published(first, second);
    // Superseded on 2 March 00:01, so the 14 days from 1 March 00:00:00.5 decide.
    expect(await reader.pinned(ACCOUNT, FIRST_ID)).toMatchObject({
      expires_at: instantOf('2026-03-15T00:00:00.500000Z'),
    });
    clock.now = MIDNIGHT + 14n * DAY + 500_000n;
    expect(await reader.pinned(ACCOUNT, FIRST_ID)).not.toBeNull();
    clock.now = MIDNIGHT + 14n * DAY + SECOND;
    const refusal = { code: 'snapshot_expired', status: 404 };
    await expect(reader.pinned(ACCOUNT, FIRST_ID)).rejects.toMatchObject(refusal);
    await expect(reader.pinned(ACCOUNT, FIRST_ID)).rejects.toThrow(
      'kept for 14 days and expired on 2026-03-15',
    );
    await expect(reader.openTable(ACCOUNT, FIRST_ID, 'costs')).rejects.toMatchObject(refusal);
    expect(await reader.list(ACCOUNT)).toHaveLength(1);
  });

  test('stays a day more after it was superseded late', async () => {
    const { reader, clock } = await published(first, aBuild('late', MIDNIGHT + 20n * DAY));
    clock.now = MIDNIGHT + 20n * DAY + HOUR;
    // Superseded when the other was published, a minute after its moment on 21 March.
    expect(await reader.pinned(ACCOUNT, FIRST_ID)).toMatchObject({
      expires_at: instantOf('2026-03-22T00:01:00.000000Z'),
    });
    clock.now = MIDNIGHT + 21n * DAY + 60n * SECOND;
    await expect(reader.pinned(ACCOUNT, FIRST_ID)).rejects.toMatchObject({ code: 'snapshot_expired' });
  });

  test('stays for ever while it is the newest', async () => {
    const { reader, clock } = await published(first);
    clock.now = MIDNIGHT + 9_000n * DAY;
    expect(await reader.latest(ACCOUNT)).toMatchObject({ expires_at: null });
    expect(await reader.pinned(ACCOUNT, FIRST_ID)).toMatchObject({ expires_at: null });
  });

  test('ends with a refusal that says so, once its files are gone', async () => {
    const { reader, clock, objects } = await published(first, second);
    for (const key of objects.keys()) if (key.includes(`/s/${FIRST_ID}`)) objects.delete(key);
    clock.now = MIDNIGHT + 30n * DAY;
    await expect(reader.pinned(ACCOUNT, FIRST_ID)).rejects.toMatchObject({ code: 'snapshot_expired' });
    expect(await reader.list(ACCOUNT)).toHaveLength(1);
  });
});

const FILES = [
  ['manifest.json', 'manifest_invalid'],
  ['costs.parquet', 'file_corrupt'],
] as const;
/** Damages each byte in turn, or one of so many, and then takes the file away. */
async function damageBytes(name: string, code: string, step: number): Promise<void> {
  const { objects, clock, store } = await published(first, second);
  const key = [...objects.keys()].findLast((one) => one.endsWith(name)) ?? '';
  const sound = objects.get(key) ?? new Uint8Array();
  for (let at = 0; at < sound.length; at += step) {
    const damaged = sound.map((byte, index) => (index === at ? byte ^ 128 : byte));
    objects.set(key, damaged);
    const reader = readerAt(store, () => clock.now);
    const refusal = { code, status: 503 };
    await expect(reader.openTable(ACCOUNT, SECOND_ID, 'costs')).rejects.toMatchObject(refusal);
  }
  objects.delete(key);
  const reader = readerAt(store, () => clock.now);
  await expect(reader.openTable(ACCOUNT, SECOND_ID, 'costs')).rejects.toMatchObject({ code });
}

describe('an object that was damaged after publishing:', () => {
  test.each(FILES)('%s is refused, whichever of its bytes changed', async (name, code) => {
    await expect(damageBytes(name, code, 7)).resolves.toBeUndefined();
  });
  itInSweeps.each(FILES)('%s is refused at every byte', (name, code) => damageBytes(name, code, 1));

  test('a bad newest manifest refuses the newest and never moves back to the one before', async () => {
    const { objects, reader } = await published(first, second);
    const key = [...objects.keys()].findLast((one) => one.endsWith('manifest.json')) ?? '';
    objects.set(key, Buffer.from('{}'));
    await expect(reader.latest(ACCOUNT)).rejects.toMatchObject({ code: 'manifest_invalid' });
    expect(await reader.pinned(ACCOUNT, FIRST_ID)).not.toBeNull();
  });

  test('a broken log entry hides its snapshot, keeps the ones before and is reported once', async () => {
    const { objects, reader, faults, clock } = await published(first, second);
    objects.set(logKey(ACCOUNT, 2), Buffer.from('{}'));
    expect(await reader.latest(ACCOUNT)).toMatchObject({ snapshot_id: FIRST_ID });
    clock.now += 6n * SECOND;
    await expect(reader.pinned(ACCOUNT, SECOND_ID)).rejects.toMatchObject({ code: 'publish_log_broken' });
    expect(faults.map((fault) => fault.data)).toEqual([{ account: ACCOUNT, seq: 2 }]);
  });

  test("another account's snapshot, copied here with its log, is not readable (F-43)", async () => {
    const { objects, reader } = await published(first);
    for (const [key, bytes] of new Map(objects)) objects.set(key.replace('v1/a/7/', 'v1/a/8/'), bytes);
    await expect(reader.latest(8n)).rejects.toMatchObject({ code: 'publish_log_broken' });
    expect(await reader.latest(ACCOUNT)).not.toBeNull();
  });
});

describe('a file beside the tables', () => {
  const AUDIT = Buffer.from('audit of first');

  test('is read whole and held to its digest, and read no second time', async () => {
    const { reader, calls } = await published(first);
    expect(Buffer.from(await reader.readFile(ACCOUNT, FIRST_ID, 'audit.json'))).toEqual(AUDIT);
    const asked = calls.length;
    await reader.readFile(ACCOUNT, FIRST_ID, 'audit.json');
    expect(calls.length).toBe(asked);
  });

  test('is refused when it has other bytes, is too long or missing, or when no such file exists', async () => {
    for (const damage of [Buffer.from('audit of third'), Buffer.concat([AUDIT, AUDIT]), null]) {
      const { reader, objects } = await published(first);
      const key = [...objects.keys()].find((each) => each.endsWith('audit.json')) ?? '';
      if (damage === null) objects.delete(key);
      else objects.set(key, damage);
      await expect(reader.readFile(ACCOUNT, FIRST_ID, 'audit.json')).rejects.toMatchObject({
        code: 'file_corrupt',
      });
    }
    const { reader } = await published(first);
    const missing = { code: 'not_found' };
    await expect(reader.readFile(ACCOUNT, FIRST_ID, 'manifest.json')).rejects.toMatchObject(missing);
    await expect(reader.readFile(ACCOUNT, SECOND_ID, 'audit.json')).rejects.toMatchObject(missing);
  });
});
