import { describe, expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { snapshotStatus } from '../../../src/snapshot/format/snapshot-status.ts';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { readMarks } from '../../../src/snapshot/read/read-marks.ts';
import type { Store } from '../../../src/store/store.ts';
import {
  aBuild,
  ACCOUNT,
  DAY,
  HOUR,
  MIDNIGHT,
  publishNow,
  readerAt,
  SECOND,
} from '../builder/build-harness.ts';
import { pruneNow } from './prune-harness.ts';
import { flipStored, markTools, scrubNow } from './scrub-harness.ts';
import { openThreeNights } from './three-nights.ts';

const [OLD, MIDDLE, NEW] = ['20260301T000000Z', '20260302T000000Z', '20260303T000000Z'];

/** Three nights, 1 to 3 March 2026, each published and so read back a minute after midnight. */
async function threeNights() {
  const { clock, store } = await openThreeNights();
  /** Refused or not, as a server finds it that has just begun. */
  const opens = (snapshot_id: string, table = 'costs') =>
    readerAt(store, () => clock.now)
      .openTable(ACCOUNT, snapshot_id, table)
      .then(
        () => 'opened',
        (error: unknown) => (error instanceof CrossfootError ? error.code : 'unforeseen'),
      );
  return { clock, store, opens };
}

describe('the due read of a scrub', () => {
  it('is of the newest snapshot each day and of each other once in seven, least recently read first', async () => {
    const { clock, store } = await threeNights();
    const read: string[] = [];
    for (let day = 3n; day <= 14n; day += 1n) {
      clock.now = MIDNIGHT + day * DAY + HOUR;
      const { told } = await scrubNow(store, clock);
      read.push(
        `${day}: ${told.map((line) => line.slice('read 202603'.length, -'T000000Z'.length)).join(' ')}`,
      );
    }
    // Published on the 1st and 2nd, read six days and an hour later, and six days after that.
    expect(read).toEqual([
      '3: 03',
      '4: 03',
      '5: 03',
      '6: 03 01',
      '7: 03 02',
      '8: 03',
      '9: 03',
      '10: 03',
      '11: 03',
      '12: 03 01',
      '13: 03 02',
      '14: 03',
    ]);
    const checks = store.keys().filter((key) => key.includes('/checked-'));
    expect(checks).toHaveLength(3); // the last of each
  });

  it('waits for the next time beyond the budget, and a dry run reads nothing', async () => {
    const { clock, store } = await threeNights();
    clock.now = MIDNIGHT + 10n * DAY;
    const before = store.keys();
    expect(await scrubNow(store, clock, { dryRun: true })).toMatchObject({
      told: [`read ${NEW}`, `read ${OLD}`, `read ${MIDDLE}`],
      bytes: 0,
      left: 0,
    });
    expect(store.keys()).toEqual(before);
    // "snapshot of day 2", "costs of day 2" and "audit of day 2": 17, 14 and 14 bytes.
    expect(await scrubNow(store, clock, { budget_bytes: 45 })).toMatchObject({
      told: [`read ${NEW}`],
      bytes: 45,
      left: 2,
    });
    expect((await scrubNow(store, clock, { budget_bytes: 46 })).told).toEqual([
      `read ${OLD}`,
      `read ${MIDDLE}`,
    ]);
  });

  it('has a steady rate', async () => {
    const { clock, store } = await threeNights();
    clock.now = MIDNIGHT + 10n * DAY;
    let slept = 0;
    const skewed = {
      now: () => clock.now,
      random: () => 0.5,
      sleep: async (milliseconds: number) => {
        slept += milliseconds;
        clock.now += BigInt(Math.round(milliseconds * 1000));
      },
    };
    const big = new Map([['costs', Buffer.alloc(6_400_000)]]);
    await publishNow(store, aBuild('big', clock.now - DAY, big));
    await scrubNow(store, clock, { budget_bytes: 1 }, { clock: skewed });
    // 6.4 MB at 64 MB/s are 100 ms.
    expect(Math.round(slept)).toBe(100);
  });
});

describe('damage', () => {
  it.each([
    [
      'a flipped bit',
      (store: Awaited<ReturnType<typeof threeNights>>['store']) =>
        flipStored(store.objects, /20260303T.*costs\.parquet$/),
    ],
    [
      'a missing file',
      (store) =>
        [...store.objects.keys()]
          .filter((key) => /20260303T.*costs\.parquet$/.test(key))
          .forEach((key) => store.objects.delete(key)),
    ],
    [
      'a longer file',
      (store) =>
        [...store.objects]
          .filter(([key]) => /20260303T.*costs\.parquet$/.test(key))
          .forEach(([key, bytes]) => store.objects.set(key, Buffer.concat([bytes, bytes]))),
    ],
    ['wrong digests', (store) => flipStored(store.objects, /20260303T.*costs\.blocks$/)],
  ] satisfies [string, (store: Awaited<ReturnType<typeof threeNights>>['store']) => void][])(
    'of %s is found, told and refused, until a scrub finds every byte right',
    async (_, spoil) => {
      const { clock, store, opens } = await threeNights();
      const sound = new Map(store.objects);
      spoil(store);
      clock.now += 12n * HOUR;
      expect(await scrubNow(store, clock)).toMatchObject({
        told: [`read ${NEW}`, `damaged ${NEW} costs.parquet head`],
        damaged: 1,
      });
      const marks = (): number => store.keys().filter((key) => key.includes('/marks/')).length;
      expect(marks()).toBe(1);
      await scrubNow(store, clock); // due each time, and said once
      expect(marks()).toBe(1);

      for (const [key, bytes] of sound) store.objects.set(key, bytes);
      expect(await opens(NEW)).toBe('file_corrupt');
      expect(await opens(NEW, 'snapshot')).toBe('opened');
      expect((await scrubNow(store, clock)).told).toEqual([`read ${NEW}`, `restored ${NEW}`]);
      expect(await opens(NEW)).toBe('opened');
    },
  );

  it('of a further file of a snapshot in quarantine is reported and refused, too', async () => {
    const { clock, store } = await threeNights();
    clock.now += 12n * HOUR;
    for (const [spoilt, ...files] of [
      ['costs', 'costs.parquet'],
      ['snapshot', 'snapshot.parquet', 'costs.parquet'],
    ] as const) {
      flipStored(store.objects, new RegExp(`20260303T.*${spoilt}\\.parquet$`));
      const { told } = await scrubNow(store, clock);
      expect(told).toEqual([`read ${NEW}`, `damaged ${NEW} ${files.join(' ')} head`]);
      const { quarantine } = snapshotStatus(await readMarks(store, ACCOUNT), NEW);
      expect(quarantine?.files).toEqual(files);
    }
  });

  it('of a manifest, of the report of the audit, and of a pinned snapshot is named', async () => {
    const { clock, store } = await threeNights();
    const wanted = { account_id: ACCOUNT, snapshot_id: OLD, name: 'close', by: 'test' };
    await pin({ ...wanted, now: clock.now, until: clock.now + 400n * DAY }, markTools(store, clock));
    flipStored(store.objects, /20260301T.*audit\.json$/);
    flipStored(store.objects, /20260302T.*manifest\.json$/);
    clock.now = MIDNIGHT + 8n * DAY;
    expect((await scrubNow(store, clock)).told).toEqual([
      `read ${NEW}`,
      `read ${OLD}`,
      `damaged ${OLD} audit.json lost close`,
      `read ${MIDDLE}`,
      `damaged ${MIDDLE} manifest.json`,
    ]);
  });

  it('is not reported when a later read over new connections finds every byte correct', async () => {
    const { clock, store, opens } = await threeNights();
    clock.now += 12n * HOUR;
    let opened = 0;
    const openStore = async (): Promise<Store> => {
      opened += 1;
      if (opened === 3) return store;
      return { ...store, readRange: () => store.readRange('v1/absent', 0, 1) };
    };
    expect(await scrubNow(store, clock, {}, { openStore })).toMatchObject({
      damaged: 0,
      told: [`read ${NEW}`],
    });
    expect(opened).toBe(3);
    expect(await opens(NEW)).toBe('opened');
  });

  it('is not reported when the store does not answer: the error is reported, and the other snapshots are read', async () => {
    const { clock, store } = await threeNights();
    clock.now = MIDNIGHT + 8n * DAY;
    const refusing: Store = {
      ...store,
      readRange: (key, from, length) => {
        if (key.includes(NEW ?? '')) throw new CrossfootError('store_unavailable', 'refused');
        return store.readRange(key, from, length);
      },
    };
    const openStore = () => Promise.resolve(refusing);
    expect(await scrubNow(store, clock, {}, { openStore })).toMatchObject({
      told: [`read ${NEW}`, `read ${OLD}`, `read ${MIDDLE}`],
      damaged: 0,
      faults: 1,
      faults_told: [{ code: 'store_unavailable' }],
    });
  });

  it('is not reported when the snapshot is being deleted while it is read', async () => {
    const { clock, store } = await threeNights();
    clock.now = MIDNIGHT + 15n * DAY + SECOND;
    let pruned = false;
    const openStore = async (): Promise<Store> => ({
      ...store,
      readSmall: async (key, cap) => {
        if (key.includes(`${OLD}-`) && key.endsWith('manifest.json') && !pruned) {
          pruned = true;
          await pruneNow(store, clock);
        }
        return await store.readSmall(key, cap);
      },
    });
    const { told, damaged } = await scrubNow(store, clock, {}, { openStore });
    expect([damaged, told.filter((line) => line.startsWith('damaged'))]).toEqual([0, []]);
  });

  it('does not count a snapshot among the two that are never deleted', async () => {
    const { clock, store } = await threeNights();
    flipStored(store.objects, /20260302T.*costs\.parquet$/);
    clock.now = MIDNIGHT + 8n * DAY;
    await scrubNow(store, clock);
    clock.now = MIDNIGHT + 40n * DAY;
    expect((await pruneNow(store, clock)).told).toEqual([`expired ${MIDDLE}`]);
  });
});

it('scrub reports a file that belongs to no published snapshot, and leaves it', async () => {
  const { clock, store, opens } = await threeNights();
  const folder =
    store
      .keys()
      .find((key) => key.includes(`/s/${NEW}-`))
      ?.replace(/[^/]+$/, '') ?? '';
  await store.create(`${folder}planted.parquet`, Buffer.from('PAR1'));
  clock.now += 12n * HOUR;
  expect((await scrubNow(store, clock)).told).toEqual([`read ${NEW}`, `strange ${NEW} planted.parquet`]);
  expect(await opens(NEW, 'planted')).toBe('not_found');
});

it('the scrub leaves an account with a broken log alone, and says so', async () => {
  const { clock, store } = await threeNights();
  await store.delete('v1/a/7/log/0000000002.json');
  expect(await scrubNow(store, clock)).toMatchObject({
    checked: 0,
    faults_told: [{ code: 'publish_log_broken' }],
  });
});

it('the scrub ends with the reason of its signal', async () => {
  const { clock, store } = await threeNights();
  clock.now += DAY;
  const stop = new AbortController();
  const told = { onDue: () => stop.abort(new Error('told to stop')) };
  await expect(scrubNow(store, clock, { signal: stop.signal }, told)).rejects.toThrow('told to stop');
});
