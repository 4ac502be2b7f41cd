/** Heads of the future: what freezes, what one command mends, and what every reader makes of the log then. */
import { describe, expect, it } from 'vitest';
import { millisecondsBehind } from '../../../src/snapshot/builder/build-moment.ts';
import { pinCloses } from '../../../src/snapshot/builder/close-pins.ts';
import { readPassedOver } from '../../../src/snapshot/keep/future-heads.ts';
import { formatInstant } from '../../../src/time.ts';
import { logKey } from '../../../src/snapshot/format/keys.ts';
import { type AuditedBuild, publish } from '../../../src/snapshot/builder/publish.ts';
import { follow, emptyLog } from '../../../src/snapshot/format/publish-log.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { readMarks } from '../../../src/snapshot/read/read-marks.ts';
import { overtaken } from '../../../src/snapshot/keep/removals.ts';
import { retract, retractFutureHeads } from '../../../src/snapshot/keep/retract.ts';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { type ClockedStore, clockedStore } from '../../store/clocked-store.ts';
import { aBuild, ACCOUNT, DAY, MIDNIGHT, readerAt, SECOND, servedWhole } from '../builder/build-harness.ts';
import { marking, clockOf, pruneNow } from './prune-harness.ts';
import { instantOf } from '../../support/instant-of.ts';

/** Published at its moment by the database's clock, whatever that shows. */
async function publishAt(store: ClockedStore, build: AuditedBuild) {
  const known = await readLog(store, ACCOUNT);
  const clock = clockOf({ now: build.generated_at });
  return await publish(build, known, { store, clock });
}

const OLD = snapshotIdOf(MIDNIGHT);
const TOMORROW = MIDNIGHT + DAY;
const YEARS_AHEAD = MIDNIGHT + 730n * DAY;
const FUTURE = snapshotIdOf(YEARS_AHEAD);

/** A snapshot of MIDNIGHT, and the next one, which a clock two years ahead published. */
async function frozen(...later: readonly bigint[]) {
  const clock = { now: MIDNIGHT };
  const store = clockedStore(clock);
  await publishAt(store, aBuild('old', MIDNIGHT));
  for (const moment of [YEARS_AHEAD, ...later]) await publishAt(store, aBuild(`of ${moment}`, moment));
  clock.now = TOMORROW;
  const tools = { store, clock: clockOf(clock), ...marking() };
  const about = {
    account_id: ACCOUNT,
    by: 'test',
    reason: 'A wrong clock dated it in the future.',
    now: TOMORROW,
  };
  return { clock, store, tools, about };
}

describe('a head of the future', () => {
  it('freezes the account until it is retracted: the error names the command', async () => {
    const { store, tools } = await frozen();
    const known = await readLog(store, ACCOUNT);
    const passed = await readPassedOver(known, snapshotIdOf(TOMORROW), tools);
    expect(passed).toBeNull();
    expect(() => millisecondsBehind(known, TOMORROW, passed)).toThrow(
      expect.objectContaining({
        code: 'clock_regressed',
        hint: expect.stringContaining(`npx --no crossfoot retract ${FUTURE} --account 7 --future-head`),
      }),
    );
    expect(await publishAt(store, aBuild('next', TOMORROW))).toEqual({ outcome: 'superseded', seq: 2 });
  });

  it('lets the next build publish once it is retracted, and stays named in the log', async () => {
    const { store, tools, about } = await frozen();
    expect(await retractFutureHeads({ ...about, snapshot_id: FUTURE }, tools)).toEqual([FUTURE]);
    // A second time says nothing new.
    const marks = (await readMarks(store, ACCOUNT)).length;
    expect(await retractFutureHeads({ ...about, snapshot_id: FUTURE }, tools)).toEqual([FUTURE]);
    expect((await readMarks(store, ACCOUNT)).length).toBe(marks);

    const known = await readLog(store, ACCOUNT);
    const passed = await readPassedOver(known, snapshotIdOf(TOMORROW), tools);
    expect(millisecondsBehind(known, TOMORROW, passed)).toBe(0);
    expect(await publishAt(store, aBuild('next', TOMORROW))).toEqual({ outcome: 'published', seq: 3 });
    const log = await readLog(store, ACCOUNT);
    expect(log.fault).toBeNull();
    expect(log.entries[2]?.follows_retracted).toEqual([FUTURE]);
    expect(await servedWhole(store, ['next'])).toBe('next');
    // The one after it is ordered as ever: no field, and an earlier moment is superseded.
    expect(await publishAt(store, aBuild('earlier', TOMORROW - SECOND))).toMatchObject({
      outcome: 'superseded',
    });
    expect(await publishAt(store, aBuild('after', TOMORROW + DAY))).toEqual({ outcome: 'published', seq: 4 });
    expect((await readLog(store, ACCOUNT)).entries[3]).not.toHaveProperty('follows_retracted');
  });

  it('is passed over with all others of the future before it, by one command', async () => {
    const later = YEARS_AHEAD + DAY;
    const { store, tools, about } = await frozen(later);
    const heads = [snapshotIdOf(later), FUTURE];
    expect(await retractFutureHeads({ ...about, snapshot_id: snapshotIdOf(later) }, tools)).toEqual(heads);
    expect(await publishAt(store, aBuild('next', TOMORROW))).toEqual({ outcome: 'published', seq: 4 });
    expect((await readLog(store, ACCOUNT)).entries[3]?.follows_retracted).toEqual(heads);
  });

  it('never lends its id: a build of that very second is superseded, and waits for the next second', async () => {
    const { store, tools, about } = await frozen();
    await retractFutureHeads({ ...about, snapshot_id: FUTURE }, tools);
    await publishAt(store, aBuild('next', TOMORROW));
    const known = await readLog(store, ACCOUNT);
    // Two years later, 0.4 s into its second: 0.6 s are left, and a millisecond for the rounding.
    expect(millisecondsBehind(known, YEARS_AHEAD + 400_000n)).toBe(601);
    expect(await publishAt(store, aBuild('twin', YEARS_AHEAD + 400_000n))).toMatchObject({
      outcome: 'superseded',
    });
    expect(await publishAt(store, aBuild('then', YEARS_AHEAD + SECOND))).toMatchObject({
      outcome: 'published',
    });
  });

  it('is the newest one only, and dated in the future: nothing else is retracted as one', async () => {
    const { clock, store, tools, about } = await frozen();
    await expect(retractFutureHeads({ ...about, snapshot_id: OLD }, tools)).rejects.toMatchObject({
      code: 'usage_invalid',
      message: `Snapshot ${OLD} is not the newest of account 7; expected ${FUTURE}.`,
    });
    // 120 s ahead is what clocks may differ by.
    const now = YEARS_AHEAD - 120n * SECOND;
    clock.now = now;
    await expect(retractFutureHeads({ ...about, snapshot_id: FUTURE, now }, tools)).rejects.toMatchObject({
      message: `Snapshot ${FUTURE} is not dated in the future: it is ${formatInstant(now)}.`,
    });
    expect((await readMarks(store, ACCOUNT)).length).toBe(0);
  });

  it('is not retracted while the clocks of the store and of this machine are over 120 s apart', async () => {
    const { clock, store, tools, about } = await frozen();
    clock.now = about.now + 121n * SECOND;
    await expect(retractFutureHeads({ ...about, snapshot_id: FUTURE }, tools)).rejects.toMatchObject({
      code: 'clocks_disagree',
      message: "This machine's clock is 121 s ahead of the store's clock; nothing was retracted.",
    });
    expect((await readMarks(store, ACCOUNT)).length).toBe(0);
    clock.now = about.now + 120n * SECOND;
    expect(await retractFutureHeads({ ...about, snapshot_id: FUTURE }, tools)).toEqual([FUTURE]);
  });

  it('retracted for another reason freezes the account still, and keeps its first words when it is mended', async () => {
    const { store, tools, about } = await frozen();
    await retract({ ...about, snapshot_id: FUTURE, reason: 'wrong', replaced_by: null }, tools);
    expect(await publishAt(store, aBuild('next', TOMORROW))).toMatchObject({ outcome: 'superseded' });
    await retractFutureHeads({ ...about, snapshot_id: FUTURE }, tools);
    expect(await publishAt(store, aBuild('next', TOMORROW))).toMatchObject({ outcome: 'published' });
    const snapshot = await readerAt(store, () => TOMORROW).pinned(ACCOUNT, FUTURE);
    expect(snapshot?.retraction?.reason).toBe('wrong');
  });
});

/** The log's bytes, its last entry changed; its digests are right, so only the order can be wrong. */
async function lastEntryChanged(change: (entry: Record<string, unknown>) => void) {
  const { store, tools, about } = await frozen();
  await retractFutureHeads({ ...about, snapshot_id: FUTURE }, tools);
  await publishAt(store, aBuild('next', TOMORROW));
  const bodies = [1, 2, 3].map((seq) => store.objects.get(logKey(ACCOUNT, seq)) ?? new Uint8Array());
  const entry = JSON.parse(Buffer.from(bodies[2] ?? []).toString()) as Record<string, unknown>;
  change(entry);
  const sorted = Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return follow(emptyLog(ACCOUNT), [...bodies.slice(0, 2), Buffer.from(JSON.stringify(sorted))]);
}

describe('a log behind a head of the future', () => {
  it('is read as it is', async () => {
    expect((await lastEntryChanged(() => undefined)).fault).toBeNull();
  });

  it.each([
    [
      'without the field',
      (entry: Record<string, unknown>) => delete entry['follows_retracted'],
      'is not newer than the one before',
    ],
    [
      'naming another entry',
      (entry: Record<string, unknown>) => (entry['follows_retracted'] = [OLD]),
      'follows other entries than it names',
    ],
    [
      'naming one that is not right before it',
      (entry: Record<string, unknown>) => (entry['follows_retracted'] = [FUTURE, FUTURE]),
      'follows other entries than it names',
    ],
  ])('is refused %s', async (_, change, wrong) => {
    const { fault, entries } = await lastEntryChanged((entry) => void change(entry));
    expect(fault?.message).toContain(wrong);
    expect(entries).toHaveLength(2);
  });

  it('is refused with an id that is there already', async () => {
    const { fault } = await lastEntryChanged((entry) => {
      entry['snapshot_id'] = OLD;
      entry['prefix'] = String(entry['prefix']).replace(snapshotIdOf(TOMORROW), OLD);
      // Passing over everything, so that no entry before is left to be newer than.
      entry['follows_retracted'] = [FUTURE, OLD];
    });
    expect(fault?.message).toContain('has the id of an earlier entry');
  });

  it('keeps the retracted head and the one before it as long as any other, and no longer', async () => {
    const { clock, store, tools, about } = await frozen();
    await retractFutureHeads({ ...about, snapshot_id: FUTURE }, tools);
    await publishAt(store, aBuild('next', TOMORROW));
    await publishAt(store, aBuild('after', TOMORROW + DAY));
    // Both were replaced tomorrow. The old one is kept 14 days from its moment, MIDNIGHT, rounded up to the second.
    // The moment of the other is not believed: it is no younger than what replaced it, and kept 14 days from tomorrow.
    const listed = await readerAt(store, () => TOMORROW).list(ACCOUNT);
    expect(listed.map(({ snapshot_id, expires_at }) => [snapshot_id, expires_at])).toEqual([
      [snapshotIdOf(TOMORROW + DAY), null],
      [snapshotIdOf(TOMORROW), instantOf('2026-03-16T00:00:00.000000Z')],
      [FUTURE, instantOf('2026-03-16T00:00:00.000000Z')],
      [OLD, instantOf('2026-03-15T00:00:00.000000Z')],
    ]);
    clock.now = MIDNIGHT + 17n * DAY;
    expect((await pruneNow(store, clock)).told).toEqual([`expired ${OLD}`, `expired ${FUTURE}`]);
  });

  it('leaves a build alone that a head of the future only seems to have overtaken', async () => {
    const { store, tools, about } = await frozen();
    const staged = { snapshot_id: snapshotIdOf(TOMORROW) };
    const published = async () => ({
      log: await readLog(store, ACCOUNT),
      marks: await readMarks(store, ACCOUNT),
    });
    expect(overtaken(staged, await published(), TOMORROW)).toBe(false);
    await retractFutureHeads({ ...about, snapshot_id: FUTURE }, tools);
    // Retracted it stays harmless, also once its moment has come.
    expect(overtaken(staged, await published(), YEARS_AHEAD + DAY)).toBe(false);
    expect(overtaken({ snapshot_id: snapshotIdOf(MIDNIGHT - SECOND) }, await published(), TOMORROW)).toBe(
      true,
    );
  });

  it('pins a close again that only the retracted head was pinned for', async () => {
    const { store, tools, about } = await frozen();
    const closed = [{ month: '2026-02', locked_at: MIDNIGHT }];
    const by = 'test';
    const pinFor = (generated_at: bigint) =>
      pinCloses(
        { account_id: ACCOUNT, snapshot_id: snapshotIdOf(generated_at), generated_at, closed, by },
        tools,
      );
    expect(await pinFor(YEARS_AHEAD)).toEqual(['close-2026-02']);
    await retractFutureHeads({ ...about, snapshot_id: FUTURE }, tools);
    await publishAt(store, aBuild('next', TOMORROW));
    expect(await pinFor(TOMORROW)).toEqual(['close-2026-02']);
  });
});
