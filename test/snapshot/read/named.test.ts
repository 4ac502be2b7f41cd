/** A snapshot is found by its id, as the newest, or by a pin; also while the publish log cannot be read to its end. */
import { describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import { logKey } from '../../../src/snapshot/format/keys.ts';
import { pin, unpin } from '../../../src/snapshot/keep/pins.ts';
import { aBuild, ACCOUNT, DAY, HOUR, MIDNIGHT, publishNow, readerAt } from '../builder/build-harness.ts';
import { markTools } from '../keep/scrub-harness.ts';
import { openThreeNights } from '../keep/three-nights.ts';

const [FIRST, SECOND, THIRD] = ['20260301T000000Z', '20260302T000000Z', '20260303T000000Z'] as const;

/** Three nights, 1 to 3 March 2026, and what a server that starts now finds. */
async function nights() {
  const { clock, store } = await openThreeNights();
  const mark = { account_id: ACCOUNT, by: 'test' };
  return {
    clock,
    store,
    pinAs: (name: string, snapshot_id: string, until = MIDNIGHT + 400n * DAY) =>
      pin({ ...mark, snapshot_id, name, now: clock.now, until }, markTools(store, clock)),
    release: (name: string, snapshot_id: string) =>
      unpin({ ...mark, snapshot_id, name, now: clock.now }, markTools(store, clock)),
    /** The id, null if there is none, or the code of the refusal. */
    find: (name: string, account_id = ACCOUNT): Promise<string | null> =>
      readerAt(store, () => clock.now)
        .named(account_id, name)
        .then(
          (snapshot) => snapshot?.snapshot_id ?? null,
          (error: unknown) => (isCrossfootError(error) ? error.code : String(error)),
        ),
    breakLog: async (seq: number) => {
      await store.delete(logKey(ACCOUNT, seq));
      await store.create(logKey(ACCOUNT, seq), Buffer.from('{}'));
    },
  };
}

describe('a snapshot', () => {
  it('is found by its id, by latest and newest, and by a pin, which means the newest that has it', async () => {
    const { pinAs, find } = await nights();
    await pinAs('close', SECOND);
    await pinAs('close', FIRST); // pinned later, but older
    await pinAs('first', FIRST);
    const names = [FIRST, 'latest', 'newest', 'close', 'first', 'other'];
    expect(await Promise.all(names.map((name) => find(name)))).toEqual([
      FIRST,
      THIRD,
      THIRD,
      SECOND,
      FIRST,
      null,
    ]);
  });

  it('is found by a pin that was set after this server had read the marks', async () => {
    const { clock, store, pinAs } = await nights();
    const reader = readerAt(store, () => clock.now);
    expect(await reader.named(ACCOUNT, 'close')).toBeNull();
    await pinAs('close', SECOND);
    expect(await reader.named(ACCOUNT, 'close')).toMatchObject({ snapshot_id: SECOND });
  });

  it.each(['ended', 'released', 'foreign'])('is not found by a pin that is %s', async (name) => {
    const { clock, store, pinAs, release, find } = await nights();
    await publishNow(store, { ...aBuild('theirs', MIDNIGHT), account_id: 8n });
    const theirs = { account_id: 8n, snapshot_id: FIRST, name: 'foreign', by: 'test' };
    await pin({ ...theirs, now: clock.now, until: MIDNIGHT + 400n * DAY }, markTools(store, clock));
    await pinAs('ended', FIRST, clock.now + HOUR);
    await pinAs('released', FIRST);
    expect(await find(name)).toBe(name === 'foreign' ? null : FIRST);
    await release('released', FIRST);
    clock.now += HOUR;
    expect(await find(name)).toBeNull();
    expect(await find('foreign', 8n)).toBe(FIRST);
  });

  it.each([
    { pinned: [FIRST], byId: FIRST, found: FIRST },
    { pinned: [SECOND], byId: SECOND, found: 'publish_log_broken' },
    { pinned: [FIRST, THIRD], byId: THIRD, found: 'publish_log_broken' },
  ])('pinned as $pinned is found as by $byId while entry 2 of the log is damaged', async (each) => {
    const { pinAs, find, breakLog } = await nights();
    for (const snapshot_id of each.pinned) await pinAs('close', snapshot_id);
    await breakLog(2);
    expect([await find('close'), await find(each.byId)]).toEqual([each.found, each.found]);
    // The newest that can be read.
    expect(await find('latest')).toBe(FIRST);
  });

  it('is found by its pin although the manifest of another cannot be read', async () => {
    const { store, pinAs, find } = await nights();
    await pinAs('close', SECOND);
    for (const key of store.keys()) {
      if (key.includes(`/s/${FIRST}-`) && key.endsWith('manifest.json')) await store.delete(key);
    }
    expect(await find('close')).toBe(SECOND);
  });
});
