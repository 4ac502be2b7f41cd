/** One snapshot for each night, however many builders were sent for it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BuildEvent } from '../../../src/snapshot/builder/events.ts';
import { buildSnapshot } from '../../../src/snapshot/builder/build.ts';
import type { BuildTools } from '../../../src/snapshot/builder/build-tools.ts';
import { type AuditedBuild, publish } from '../../../src/snapshot/builder/publish.ts';
import { emptyLog } from '../../../src/snapshot/format/publish-log.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { ACCOUNT, MIDNIGHT, SECOND, aBuild, clockAt } from './build-harness.ts';

const NIGHT = '2026-03-01';

function nightly(label: string, generated_at: bigint, night = NIGHT): AuditedBuild {
  return { ...aBuild(label, generated_at, new Map([['costs', Buffer.from(label)]])), night, once: true };
}

const nightsOf = async (store: Store): Promise<readonly string[]> =>
  (await readLog(store, ACCOUNT)).entries.map(({ night }) => night);

describe('two builders of one night (F-36)', () => {
  const earlier = nightly('earlier', MIDNIGHT);
  const later = nightly('later', MIDNIGHT + SECOND);

  test('that knew the same log publish once, also when the newer moment comes second', async () => {
    const store = memoryStore();
    const tools = { store, clock: clockAt(MIDNIGHT) };
    const known = await readLog(store, ACCOUNT);
    expect(await publish(earlier, known, tools)).toEqual({ outcome: 'published', seq: 1 });
    expect(await publish(later, known, tools)).toEqual({ outcome: 'skipped', seq: 1 });
    expect(await nightsOf(store)).toEqual([NIGHT]);
  });

  test('publish exactly once in any order of their calls', async () => {
    const builds = [earlier, later, nightly('third', MIDNIGHT + 2n * SECOND)];
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const inner = memoryStore();
        const turn = scheduler.scheduleFunction(async () => undefined);
        const store: Store = {
          ...inner,
          create: async (key, body) => turn().then(() => inner.create(key, body)),
          readSmall: async (key, cap) => turn().then(() => inner.readSmall(key, cap)),
        };
        const running = Promise.all(
          builds.map((build) => publish(build, emptyLog(ACCOUNT), { store, clock: clockAt(MIDNIGHT) })),
        );
        await scheduler.waitFor(running);
        const outcomes = (await running).map(({ outcome }) => outcome).toSorted();
        expect(outcomes).toEqual(['published', 'skipped', 'skipped']);
        expect(await nightsOf(inner)).toEqual([NIGHT]);
      }),
      { numRuns: 50 },
    );
  });

  test('leave the next night, and a build that is for no night alone, to be published', async () => {
    const store = memoryStore();
    const tools = { store, clock: clockAt(MIDNIGHT) };
    const next = nightly('next', MIDNIGHT + 3n * SECOND, '2026-03-02');
    for (const build of [earlier, { ...later, once: false }, next]) {
      expect(await publish(build, await readLog(store, ACCOUNT), tools)).toMatchObject({
        outcome: 'published',
      });
    }
    expect(await nightsOf(store)).toEqual([NIGHT, NIGHT, '2026-03-02']);
  });
});

test('a build of a night that has a snapshot ends before it asks the ledger for anything', async () => {
  const store = memoryStore();
  const published = nightly('published', MIDNIGHT);
  await publish(published, emptyLog(ACCOUNT), { store, clock: clockAt(MIDNIGHT) });
  const events: BuildEvent[] = [];
  const onEvent = (event: BuildEvent): void => void events.push(event);
  const tools = { store, clock: clockAt(MIDNIGHT), onEvent, afterPublished: expect.unreachable };
  const { nonce, night, builder } = nightly('again', MIDNIGHT + SECOND);
  const job = {
    account_id: ACCOUNT,
    nonce,
    night,
    once: true,
    builder,
    signal: new AbortController().signal,
  };
  // No connection, no spool: the build has nothing to read with, and does not miss it.
  const built = await buildSnapshot(job, tools as unknown as BuildTools);
  expect(built).toEqual({ outcome: 'skipped', seq: 1, snapshot_id: '20260301T000000Z' });
  expect(events).toEqual([{ kind: 'snapshot.skipped', snapshot: '20260301T000000Z', seq: 1, ms: 0 }]);
});
