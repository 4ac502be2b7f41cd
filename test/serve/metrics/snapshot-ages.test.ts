import { describe, expect, it } from 'vitest';
import { watchSnapshotAges } from '../../../src/serve/metrics/snapshot-ages.ts';
import { FakeSnapshots } from '../fake-parts.ts';

// The fakes' newest snapshot is of 2026-11-20T02:00:00.123456Z; account 9 has none, and 10 cannot be read.
class SomeBroken extends FakeSnapshots {
  asked = 0;
  override async latest(account_id: bigint) {
    this.asked += 1;
    if (account_id === 10n) throw new Error('the log has a gap');
    return super.latest(account_id);
  }
}
const NEWEST = BigInt(Date.UTC(2026, 10, 20, 2)) * 1_000n + 123_456n;
const HOUR = 3_600_000_000n;

function watching(accounts: readonly bigint[], hours: bigint) {
  const clock = { now: 0 };
  const snapshots = new SomeBroken();
  const ages = watchSnapshotAges({
    accounts: async () => accounts,
    snapshots,
    now: () => NEWEST + hours * HOUR,
    clock: () => clock.now,
  });
  return { clock, snapshots, ages };
}

describe('the ages of the newest snapshots', () => {
  it('are fresh for a night and two hours, and late after that', async () => {
    const { ages } = watching([7n, 8n], 26n);
    // 26 · 3,600 = 93,600
    expect(await ages()).toMatchObject({ fresh: { accounts: 2, seconds: 93_600 }, late: { accounts: 0 } });
    const later = watching([7n], 27n);
    expect(await later.ages()).toMatchObject({
      fresh: { accounts: 0, seconds: 0 },
      late: { accounts: 1, seconds: 97_200 },
    });
  });

  it('are those of the oldest in each state, to the second, in whichever order the accounts come', async () => {
    // 26 hours are 93,600 seconds: the last second of a night and two hours, and the first behind it.
    const seconds: Readonly<Record<string, bigint>> = { 1: 60n, 2: 93_600n, 3: 93_601n, 4: 200_000n };
    const snapshots = new FakeSnapshots();
    const latest: typeof snapshots.latest = async (account_id) => {
      const newest = await new FakeSnapshots().latest(7n);
      const at = NEWEST - (seconds[String(account_id)] ?? 0n) * 1_000_000n;
      return newest && { ...newest, generated_at: at };
    };
    for (const accounts of [
      [1n, 2n, 3n, 4n],
      [4n, 3n, 2n, 1n],
    ]) {
      const ages = watchSnapshotAges({
        accounts: async () => accounts,
        snapshots: { latest },
        now: () => NEWEST,
        clock: () => 0,
      });
      expect(await ages()).toMatchObject({
        fresh: { accounts: 2, seconds: 93_600 },
        late: { accounts: 2, seconds: 200_000 },
      });
    }
  });

  it('count accounts without a snapshot and accounts with an unreadable one separately', async () => {
    const { ages } = watching([7n, 9n, 10n], 1n);
    expect(await ages()).toEqual({
      fresh: { accounts: 1, seconds: 3_600, retracted: 0 },
      late: { accounts: 0, seconds: 0, retracted: 0 },
      missing: { accounts: 1, seconds: 0, retracted: 0 },
      broken: { accounts: 1, seconds: 0, retracted: 0 },
    });
  });

  it('count the retracted newest snapshots among those of each state', async () => {
    const fakes = new FakeSnapshots();
    const retraction = { reason: 'KES was read as USD', at: NEWEST, replaced_by: null };
    const latest: typeof fakes.latest = async (account_id) => {
      const newest = await fakes.latest(7n);
      return newest && { ...newest, retraction: account_id === 2n ? null : retraction };
    };
    const ages = watchSnapshotAges({
      accounts: async () => [1n, 2n, 3n],
      snapshots: { latest },
      now: () => NEWEST,
      clock: () => 0,
    });
    expect((await ages()).fresh).toEqual({ accounts: 3, seconds: 0, retracted: 2 });
  });

  it('are asked of the store once a minute, however often Prometheus comes', async () => {
    const { clock, snapshots, ages } = watching([7n], 1n);
    await Promise.all([ages(), ages()]);
    clock.now += 59_999;
    await ages();
    expect(snapshots.asked).toBe(1);
    clock.now += 1;
    await ages();
    expect(snapshots.asked).toBe(2);
  });

  it('are asked again at once when the accounts could not be found out', async () => {
    let down = true;
    const ages = watchSnapshotAges({
      accounts: async () => {
        if (down) throw new Error('down');
        return [7n];
      },
      snapshots: new FakeSnapshots(),
      now: () => NEWEST,
      clock: () => 0,
    });
    await expect(ages()).rejects.toThrow('down');
    down = false;
    expect((await ages()).fresh.accounts).toBe(1);
  });
});
