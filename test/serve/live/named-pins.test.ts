/** The name of a pin that several snapshots have, in the parameter `snapshot_id`. */
import { expect, it } from 'vitest';
import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';
import { bearer, EARLIER, fakeApp, LATEST, TOKENS } from '../fake-parts.ts';
import { GivenSnapshots } from '../given-snapshots.ts';

const PINS: Readonly<Record<string, readonly string[]>> = {
  [LATEST]: ['close', 'newest-alone'],
  [EARLIER]: ['older-alone', 'close'],
};

class Pinned extends GivenSnapshots {
  override async list(account_id: bigint): Promise<readonly ReadableSnapshot[]> {
    const listed = await super.list(account_id);
    return listed.map((snapshot) => {
      const pins = (PINS[snapshot.snapshot_id] ?? []).map((name) => ({ name, at: 1n, until: 2n }));
      return { ...snapshot, pins };
    });
  }
}

it.each([
  ['close', LATEST],
  ['newest-alone', LATEST],
  ['older-alone', EARLIER],
  ['latest', LATEST],
])('%s means the newest snapshot with this pin', async (name, id) => {
  const snapshots = new Pinned(() => ({ snapshot: [{ fiscal_year_start_month: 1 }] }));
  const { app } = fakeApp({ snapshots });
  const answer = await app.request(`/v1/roi?snapshot_id=${name}`, bearer(TOKENS.personal));
  expect([answer.status, answer.headers.get('x-snapshot-id')]).toEqual([200, id]);
});
