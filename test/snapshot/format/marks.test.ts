import { describe, expect, it } from 'vitest';
import { appendMark } from '../../../src/snapshot/keep/append-mark.ts';
import { encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';
import { encodeNextMark, followMarks, type NewMark, noMarks } from '../../../src/snapshot/format/marks.ts';
import { readMarks } from '../../../src/snapshot/read/read-marks.ts';
import { snapshotStatus } from '../../../src/snapshot/format/snapshot-status.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import { aBuild, ACCOUNT, DAY, MIDNIGHT, publishNow, readerAt } from '../builder/build-harness.ts';
import { pruneNow } from '../keep/prune-harness.ts';
import { markTools } from '../keep/scrub-harness.ts';
import { instantOf } from '../../support/instant-of.ts';

const SNAPSHOT = '20260301T000000Z';
const at = instantOf('2026-03-03T01:00:00.000000Z');
const said = { snapshot_id: SNAPSHOT, at, by: 'test' };
const keyOf = (seq: number): string => `v1/a/7/marks/000000000${seq}.json`;

/** Three pins of the first of two snapshots. */
async function marked() {
  const clock = { now: MIDNIGHT + 2n * DAY };
  const store = clockedStore(clock);
  await publishNow(store, aBuild('first', MIDNIGHT));
  await publishNow(store, aBuild('second', MIDNIGHT + DAY));
  for (const name of ['a', 'b', 'c']) {
    const until = instantOf('2027-03-03T00:00:00.000000Z');
    await appendMark(ACCOUNT, () => ({ ...said, kind: 'pinned', name, until }), markTools(store, clock));
  }
  return { clock, store };
}

describe('marks', () => {
  it('stand in the order in which they were said, also by many at once', async () => {
    const { clock, store } = await marked();
    const names = Array.from({ length: 20 }, (_, number) => `more-${number}`);
    const until = instantOf('2027-03-03T00:00:00.000000Z');
    await Promise.all(
      names.map((name) =>
        appendMark(ACCOUNT, () => ({ ...said, kind: 'pinned', name, until }), markTools(store, clock)),
      ),
    );
    const marks = await readMarks(store, ACCOUNT);
    expect([marks.length, marks.fault]).toEqual([23, null]);
    expect([...snapshotStatus(marks, SNAPSHOT).pins.keys()].toSorted()).toEqual(
      ['a', 'b', 'c', ...names].toSorted(),
    );
  });

  it.each([
    ['is missing', 2, (objects: Map<string, Uint8Array>) => objects.delete(keyOf(2))],
    ['is malformed', 2, (objects: Map<string, Uint8Array>) => objects.set(keyOf(2), Buffer.from('{}'))],
    ['is malformed', 1, (objects: Map<string, Uint8Array>) => objects.set(keyOf(1), Buffer.alloc(20_000))],
    [
      'does not follow the mark before it',
      2,
      (objects: Map<string, Uint8Array>) => {
        const text = Buffer.from(objects.get(keyOf(2)) ?? []).toString();
        const other = text.replace(/(?<="prev_sha256":")./, (digit) => (digit === 'f' ? '0' : 'f'));
        objects.set(keyOf(2), Buffer.from(other));
      },
    ],
    [
      'says it is mark 1',
      2,
      (objects: Map<string, Uint8Array>) => objects.set(keyOf(2), objects.get(keyOf(1)) ?? Buffer.of()),
    ],
  ])(
    'end at a mark that %s: nothing is deleted or said any more, all else is served',
    async (wrong, seq, spoil) => {
      const { clock, store } = await marked();
      spoil(store.objects);
      const marks = await readMarks(store, ACCOUNT);
      expect(marks.length).toBe(seq - 1);
      expect(marks.fault).toMatchObject({
        code: 'marks_broken',
        message: `marks of account 7: mark ${seq} ${wrong}.`,
      });

      const saying = appendMark(ACCOUNT, () => ({ ...said, kind: 'restored' }), markTools(store, clock));
      await expect(saying).rejects.toMatchObject({ code: 'marks_broken' });
      clock.now = MIDNIGHT + 800n * DAY;
      expect(await pruneNow(store, clock)).toMatchObject({
        removed: 0,
        faults_told: [{ code: 'marks_broken' }],
      });
      expect(await readerAt(store, () => clock.now).latest(ACCOUNT)).toMatchObject({
        snapshot_id: '20260302T000000Z',
      });
    },
  );

  it.each<[string, NewMark]>([
    ['a name that a shell would have to quote', { ...said, kind: 'pinned', name: 'a b', until: at }],
    ['a reason with an escape in it', { ...said, kind: 'retracted', reason: '\u001b[2J', replaced_by: null }],
    ['no reason', { ...said, kind: 'retracted', reason: '', replaced_by: null }],
    ['a snapshot that is none', { ...said, kind: 'restored', snapshot_id: '../../8' }],
  ])('never hold %s', (_, mark) => {
    expect(() => encodeNextMark(noMarks(ACCOUNT), mark, '0'.repeat(32))).toThrow(/invalid/i);
  });

  it.each([
    ['a moment', {}, null],
    ['a moment that is none', { at: '2026-02-30T00:00:00.000000Z' }, 'is malformed'],
    ['an end', { kind: 'pinned', name: 'a', until: '2027-03-03T00:00:00.000000Z' }, null],
    ['an end that is none', { kind: 'pinned', name: 'a', until: 'never' }, 'is malformed'],
  ])('are read with %s as stored', (_, change, wrong) => {
    const place = { seq: 1, prev_sha256: '0'.repeat(64), nonce: '0'.repeat(32) };
    const stored = { ...place, ...said, at: '2026-03-03T01:00:00.000000Z', kind: 'restored', ...change };
    const { fault, of } = followMarks(noMarks(ACCOUNT), [encodeCanonical(stored)]);
    const read = fault === null ? of.get(SNAPSHOT)?.[0]?.at : fault.message;
    expect(read).toBe(wrong === null ? at : `marks of account 7: mark 1 ${wrong}.`);
  });
});
