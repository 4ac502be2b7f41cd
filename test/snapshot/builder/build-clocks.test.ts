/** A build and the clocks: what it refuses, and which clock dates what it publishes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clocks } from '../../../src/clock-offsets.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { agreeingAt, HOUR, SECOND } from './build-harness.ts';
import { AT, type BuildHarness, listener, openBuildHarness } from './real-build.ts';
import { instantOf } from '../../support/instant-of.ts';

let harness: BuildHarness;
beforeAll(async () => {
  harness = await openBuildHarness();
});
afterAll(() => harness.close());

/** This machine is two days (172,800 s) ahead of the database and the store. */
const AHEAD: Clocks = {
  ...agreeingAt(AT),
  database_offset: -172_800n * SECOND,
  store_offset: -172_800n * SECOND,
};
const REFUSAL =
  "This machine's clock is 172800 s ahead of the database's clock and the store's clock; nothing was";

describe('a build on a machine two days ahead', () => {
  it('is refused before it reads a table', async () => {
    const { events, onEvent } = listener();
    const building = harness.build({ readClocks: async () => AHEAD, onEvent });
    await expect(building).rejects.toMatchObject({ code: 'clocks_disagree', message: `${REFUSAL} built.` });
    expect(events).toEqual([]);
  });

  it('publishes nothing when its clock went wrong after it began', async () => {
    const store = await harness.emptyStore();
    const { events, onEvent } = listener();
    let readings = 0;
    const readClocks = async (): Promise<Clocks> => ((readings += 1) === 1 ? agreeingAt(AT) : AHEAD);
    const building = harness.build({ store, readClocks, onEvent });
    await expect(building).rejects.toMatchObject({ message: `${REFUSAL} published.` });
    // Account 1 has amounts without a rate (fixtures/TOTALS.md, "Left out"): the build tells them after its audit, then ends.
    expect(events.slice(-2).map(({ kind }) => kind)).toEqual(['audit.passed', 'totals.incomplete']);
    expect((await readLog(store, 1n)).entries).toEqual([]);
  });
});

it("the log entry is dated by the database's clock and names the night of the moment", async () => {
  const store = await harness.emptyStore();
  // The harness's own clock stands at 1970; the database shows an hour after the moment when it is asked again.
  let readings = 0;
  await harness.build({
    store,
    night: null,
    nightAt: (instant) => (instant === AT ? '2026-07-14' : '1970-01-01'),
    readClocks: async () => agreeingAt(AT + ((readings += 1) === 1 ? 0n : HOUR)),
  });
  const [entry] = (await readLog(store, 1n)).entries;
  // 02:00:00.123456 and an hour.
  expect(entry).toMatchObject({
    published_at: instantOf('2026-07-15T03:00:00.123456Z'),
    night: '2026-07-14',
  });
});
