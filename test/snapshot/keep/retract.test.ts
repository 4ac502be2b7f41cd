import { describe, expect, it } from 'vitest';
import { readMarks } from '../../../src/snapshot/read/read-marks.ts';
import { retract } from '../../../src/snapshot/keep/retract.ts';
import { snapshotStatus } from '../../../src/snapshot/format/snapshot-status.ts';
import { ACCOUNT, HOUR, readerAt } from '../builder/build-harness.ts';
import { markTools } from './scrub-harness.ts';
import { openThreeNights } from './three-nights.ts';
import { instantOf } from '../../support/instant-of.ts';

const [FIRST, SECOND, THIRD] = ['20260301T000000Z', '20260302T000000Z', '20260303T000000Z'];

/** Three nights, 1 to 3 March 2026; what is said is said an hour after the third. */
async function threeNights() {
  const { clock, store } = await openThreeNights();
  return {
    store,
    clock,
    say: (snapshot_id: string, reason: string, replaced_by: string | null = null) =>
      retract(
        { account_id: ACCOUNT, snapshot_id, reason, replaced_by, by: 'test', now: clock.now },
        markTools(store, clock),
      ),
    said: async (snapshot_id: string) =>
      snapshotStatus(await readMarks(store, ACCOUNT), snapshot_id).retraction?.reason,
  };
}

describe('a retraction', () => {
  it('stands as it was first said: the same again is nothing new, and anything else is refused', async () => {
    const { clock, store, say, said } = await threeNights();
    const first = { reason: 'wrong rate', replaced_by: SECOND, at: instantOf('2026-03-03T01:00:00.000000Z') };
    expect(await say(FIRST, 'wrong rate', SECOND)).toEqual(first);
    clock.now += HOUR;
    expect(await say(FIRST, 'wrong rate', SECOND)).toEqual(first);
    for (const [reason, replaced_by] of [
      ['wrong budget', SECOND],
      ['wrong rate', THIRD],
      ['wrong rate', null],
    ] as const) {
      await expect(say(FIRST, reason, replaced_by)).rejects.toMatchObject({ code: 'snapshot_retracted' });
    }
    expect([await said(FIRST), (await readMarks(store, ACCOUNT)).length]).toEqual(['wrong rate', 1]);
  });

  it('written twice at the same moment keeps the words of one caller, and the other learns of them', async () => {
    const { say, said } = await threeNights();
    const reasons = ['wrong rate', 'wrong budget'];
    const settled = await Promise.allSettled(reasons.map((reason) => say(FIRST, reason)));
    const stood = reasons.filter((_, index) => settled[index]?.status === 'fulfilled');
    expect(stood).toEqual([await said(FIRST)]);
  });

  it('is shown wherever the snapshot is read, and on no other snapshot', async () => {
    const { clock, store, say } = await threeNights();
    await say(FIRST, 'wrong rate', THIRD);
    const reader = readerAt(store, () => clock.now);
    const retraction = {
      reason: 'wrong rate',
      replaced_by: THIRD,
      at: instantOf('2026-03-03T01:00:00.000000Z'),
    };
    expect(await reader.pinned(ACCOUNT, FIRST)).toMatchObject({ retraction });
    expect((await reader.list(ACCOUNT)).map((listed) => listed.retraction)).toEqual([null, null, retraction]);
  });

  it.each([
    ['of what was never published', '20260401T000000Z', null, 'not_found'],
    ['in favour of what was never published', FIRST, '20260401T000000Z', 'not_found'],
    ['in favour of itself', FIRST, FIRST, 'usage_invalid'],
    ['in favour of what was retracted itself', FIRST, THIRD, 'usage_invalid'],
  ])('%s is refused', async (_, snapshot_id, replaced_by, code) => {
    const { store, say } = await threeNights();
    await say(THIRD, 'wrong rate');
    await expect(say(snapshot_id, 'wrong budget', replaced_by)).rejects.toMatchObject({ code });
    expect((await readMarks(store, ACCOUNT)).length).toBe(1);
  });
});
