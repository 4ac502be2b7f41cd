/** What later deliveries change at a target: older snapshots are deleted if asked, retracted ones get a notice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retract } from '../../src/snapshot/keep/retract.ts';
import { clockAt } from '../snapshot/builder/build-harness.ts';
import { FILES, idOf, momentOf, openTestDeliveries, type TestDeliveries } from './delivery-harness.ts';
import { itInSweeps } from '../support/sweeps.ts';

let test: TestDeliveries;
beforeAll(async () => {
  test = await openTestDeliveries();
});
afterAll(() => test[Symbol.asyncDispose]());

/** The files of each night below a prefix, by the id of the snapshot. */
function nightsAt(prefix: string): ReadonlyMap<string, readonly string[]> {
  const nights = new Map<string, string[]>();
  for (const key of [...test.s3.bucket.objects.keys()].toSorted()) {
    const [, id, file] = new RegExp(`^${prefix}/snapshots/([^/]+)/(.+)$`).exec(key) ?? [];
    if (id === undefined || file === undefined) continue;
    nights.set(id, [...(nights.get(id) ?? []), file]);
  }
  return nights;
}

async function deliverNights(account: bigint, nights: readonly number[]): Promise<void> {
  for (const night of nights) {
    await test.publish(account, night);
    await test.find();
    await test.deliver();
  }
}

describe('a target', () => {
  itInSweeps('keeps all snapshots unless asked, else so many of the newest, each whole', async () => {
    const [all, two] = [await test.found('all'), await test.found('two', 2)];
    for (const { account } of [all, two]) await deliverNights(account, [1, 2, 3, 4]);
    expect([...nightsAt('all').keys()]).toEqual([1, 2, 3, 4].map(idOf));
    expect([...nightsAt('two')]).toEqual([3, 4].map((night) => [idOf(night), FILES.toSorted()]));
    expect(test.object('two/latest.json')).toContain(`"snapshot_id": "${idOf(4)}"`);
  });

  it('has the manifest of an older snapshot deleted before its other files', async () => {
    const { account } = await test.found('ordered', 1);
    await deliverNights(account, [1]);
    const from = test.s3.asked.length;
    await deliverNights(account, [2]);
    const deleted = test.s3.asked.slice(from).filter(({ method }) => method === 'DELETE');
    expect(deleted.map(({ key }) => key)[0]).toBe(`ordered/snapshots/${idOf(1)}/manifest.json`);
    expect(deleted).toHaveLength(FILES.length);
  });

  it('keeps what no delivery made, and what the customer changed since', async () => {
    const { account } = await test.found('theirs', 1);
    const put = (file: string, text: string): unknown =>
      test.s3.bucket.objects.set(`theirs/snapshots/${idOf(1)}/${file}`, {
        body: Buffer.from(text),
        modified: new Date(0),
        headers: {},
      });
    put('costs.parquet', `costs of ${account} 1`); // there before, with the same bytes
    put('notes.txt', 'of the customer');
    await deliverNights(account, [1]);
    put('budgets.parquet', 'another file of the customer');
    put('snapshot.parquet', `snapshot of ${account} 1`); // the same bytes, but made by the customer
    await deliverNights(account, [2]);
    expect(nightsAt('theirs').get(idOf(1))).toEqual([
      'budgets.parquet',
      'costs.parquet',
      'notes.txt',
      'snapshot.parquet',
    ]);
    expect([...nightsAt('theirs').keys()]).toEqual([idOf(1), idOf(2)]);
  });

  it('has its newest snapshot also if nothing may be deleted, and is asked again the next night', async () => {
    const { account } = await test.found('undeletable', 1);
    await deliverNights(account, [1]);
    test.s3.script(({ method }) => (method === 'DELETE' ? { answer: 403, code: 'AccessDenied' } : null));
    await deliverNights(account, [2]);
    test.s3.script(() => null);
    expect(await test.states(account)).toEqual([`${idOf(1)} delivered 1`, `${idOf(2)} delivered 1`]);
    expect(await test.faults(account)).toEqual([
      'older snapshots were not deleted: target: the bucket refused to delete an object (403 AccessDenied).',
    ]);
    expect(test.logged().filter((line) => line.includes('delivery.unpruned'))).toHaveLength(1);
    await deliverNights(account, [3]);
    expect([...nightsAt('undeletable').keys()]).toEqual([idOf(3)]);
  });

  it('gets a notice beside a snapshot that was retracted after its delivery, and its files stay', async () => {
    const { account } = await test.found('retracted');
    await deliverNights(account, [1, 2]);
    const now = momentOf(3);
    await retract(
      {
        account_id: account,
        snapshot_id: idOf(1),
        reason: 'Wrong rates.',
        replaced_by: idOf(2),
        by: 'test',
        now,
      },
      { store: test.store, clock: clockAt(now), newNonce: () => 'b'.repeat(32) },
    );
    for (let times = 0; times < 2; times += 1) {
      await test.find();
      await test.deliver();
    }
    expect(nightsAt('retracted').get(idOf(1))).toEqual([...FILES, 'retracted.json'].toSorted());
    expect(nightsAt('retracted').get(idOf(2))).toEqual(FILES.toSorted());
    expect(JSON.parse(test.object(`retracted/snapshots/${idOf(1)}/retracted.json`) ?? '')).toEqual({
      account_id: Number(account),
      snapshot_id: idOf(1),
      retracted_at: '2026-03-03T00:00:00.000000Z',
      reason: 'Wrong rates.',
      replaced_by: idOf(2),
    });
    expect(await test.states(account)).toEqual([`${idOf(1)} withdrawn 2`, `${idOf(2)} delivered 1`]);
  });
});

describe('the events of a delivery', () => {
  it('say once that it is whole, and after five attempts that it is not', async () => {
    const { account, target } = await test.found('told');
    test.told();
    await deliverNights(account, [1]);
    const of = { account_id: account, target_id: target };
    expect(test.told()).toEqual([
      { type: 'snapshot.delivered', ...of, snapshot_id: idOf(1), night: '2026-03-01', reason: null },
    ]);
    await test.publish(account, 2);
    await test.find();
    test.s3.script(({ method }) => (method === 'PUT' ? { answer: 403, code: 'AccessDenied' } : null));
    const told: number[] = [];
    for (let tries = 1; tries <= 5; tries += 1) {
      await test.deliver();
      await test.passBackoff();
      told.push(test.told().length);
    }
    test.s3.script(() => null);
    expect(told).toEqual([0, 0, 0, 0, 1]);
    await test.deliver();
    expect(test.told().map(({ type }) => type)).toEqual(['snapshot.delivered']);
  });
});
