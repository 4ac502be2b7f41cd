/** What a delivery leaves in a customer's bucket: whole or to be resumed, in order, and nothing that was there before. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { retract } from '../../src/snapshot/keep/retract.ts';
import { TABLES } from '../../src/tables/all.ts';
import { clockAt } from '../snapshot/builder/build-harness.ts';
import { FILES, idOf, momentOf, openTestDeliveries, type TestDeliveries } from './delivery-harness.ts';

let test: TestDeliveries;
beforeAll(async () => {
  test = await openTestDeliveries();
});
afterAll(() => test[Symbol.asyncDispose]());

const inFolder = (night: number): readonly string[] =>
  FILES.map((file) => `snapshots/${idOf(night)}/${file}`);
const latest = z.object({ account_id: z.int(), seq: z.int(), snapshot_id: z.string(), folder: z.string() });
const latestOf = (prefix: string) => latest.parse(JSON.parse(test.object(`${prefix}/latest.json`) ?? 'null'));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Finds and delivers as often as it takes. */
async function deliverAll(): Promise<void> {
  await test.find();
  await test.deliver();
}

describe('a delivery', () => {
  it('makes the 14 tables, the signatures, the manifest and last latest.json, with the published bytes', async () => {
    const { account } = await test.found('whole');
    await test.publish(account, 1);
    await deliverAll();
    expect(TABLES).toHaveLength(14);
    expect(test.written('whole')).toEqual([...inFolder(1), 'latest.json']);
    expect(await test.states(account)).toEqual([`${idOf(1)} delivered 1`]);
    for (const file of FILES) {
      const [, published] =
        [...test.store.objects].find(([key]) => key.includes(`/a/${account}/`) && key.endsWith(`/${file}`)) ??
        [];
      const delivered = test.s3.bucket.objects.get(`whole/snapshots/${idOf(1)}/${file}`)?.body;
      expect([file, delivered?.toString()]).toEqual([file, Buffer.from(published ?? []).toString()]);
    }
    const named = z
      .object({
        manifest_sha256: z.string(),
        tables: z.array(z.object({ file: z.string(), sha256: z.string() })),
      })
      .parse(JSON.parse(test.object('whole/latest.json') ?? ''));
    const bytesOf = (file: string) =>
      test.s3.bucket.objects.get(`whole/snapshots/${idOf(1)}/${file}`)?.body ?? Buffer.alloc(0);
    expect(named.manifest_sha256).toBe(sha256(bytesOf('manifest.json')));
    expect(named.tables.map(({ sha256: digest }) => digest)).toEqual(
      named.tables.map(({ file }) => sha256(bytesOf(file))),
    );
    expect(latestOf('whole')).toEqual({
      account_id: Number(account),
      seq: 1,
      snapshot_id: idOf(1),
      folder: `snapshots/${idOf(1)}`,
    });
  });

  it('of a new target is of the newest snapshot alone, then of every later one', async () => {
    const { account } = await test.found('newest');
    for (const night of [1, 2, 3]) await test.publish(account, night);
    await deliverAll();
    expect(await test.states(account)).toEqual([`${idOf(3)} delivered 1`]);
    for (const night of [4, 5]) await test.publish(account, night);
    await deliverAll();
    await deliverAll();
    expect(await test.states(account)).toEqual([3, 4, 5].map((night) => `${idOf(night)} delivered 1`));
    expect(latestOf('newest').snapshot_id).toBe(idOf(5));
  });

  it('goes on where it ended after a refusal in the middle, and has no manifest until then', async () => {
    const { account } = await test.found('refused');
    await test.publish(account, 1);
    test.written('refused');
    let puts = 0;
    test.s3.script(({ method }) => {
      if (method === 'PUT') puts += 1;
      return method === 'PUT' && puts === 8 ? { answer: 403, code: 'AccessDenied' } : null;
    });
    await deliverAll();
    test.s3.script(() => null);
    expect(test.written('refused')).toEqual(inFolder(1).slice(0, 8));
    expect(await test.states(account)).toEqual([`${idOf(1)} pending 1`]);
    expect(await test.faults(account)).toEqual([
      'target: the bucket refused to create an object (403 AccessDenied).',
    ]);
    expect(test.object('refused/latest.json')).toBeNull();
    await test.passBackoff();
    await test.deliver();
    expect(test.written('refused')).toEqual([...inFolder(1).slice(7), 'latest.json']);
    expect(await test.states(account)).toEqual([`${idOf(1)} delivered 2`]);
    expect(await test.faults(account)).toEqual([]);
  });

  it.each([
    ['lost after it was applied', { reset: 'after' }],
    ['lost before it was applied', { reset: 'before' }],
    ['an error though it was applied', { appliedButAnswers: 503, code: 'SlowDown' }],
  ] as const)('is whole when each first answer is %s', async (_, fault) => {
    const prefix = JSON.stringify(fault).replaceAll(/\W/g, '');
    const { account } = await test.found(prefix);
    await test.publish(account, 1);
    const met = new Set<string>();
    test.s3.script(({ method, key }) => {
      const isFirst = method === 'PUT' && !met.has(key);
      met.add(key);
      return isFirst ? fault : null;
    });
    await deliverAll();
    for (let tries = 0; tries < FILES.length; tries += 1) {
      await test.passBackoff();
      await test.deliver();
    }
    test.s3.script(() => null);
    expect((await test.states(account))[0]).toMatch(/ delivered /);
    expect(latestOf(prefix).snapshot_id).toBe(idOf(1));
  });

  it('never lets latest.json move back when an older night comes late', async () => {
    const { account } = await test.found('late');
    await test.publish(account, 1);
    await test.find();
    await test.publish(account, 2);
    await test.find();
    test.s3.script(({ method, key }) =>
      method === 'PUT' && key.includes(idOf(1)) ? { answer: 403, code: 'AccessDenied' } : null,
    );
    await test.deliver();
    expect(latestOf('late').snapshot_id).toBe(idOf(2));
    test.s3.script(() => null);
    await test.passBackoff();
    test.written('late');
    await test.deliver();
    expect(await test.states(account)).toEqual([`${idOf(1)} delivered 2`, `${idOf(2)} delivered 1`]);
    expect(test.written('late')).toEqual(inFolder(1));
    expect(latestOf('late').snapshot_id).toBe(idOf(2));
  });

  it.each([
    ['is no file of a delivery', '{"mine":true}', 'it is no file of a delivery'],
    ['is no JSON', 'mine', 'it is no file of a delivery'],
    [
      'names a text in place of a snapshot',
      '{"account_id":1,"seq":1,"snapshot_id":"read this"}',
      'it is no file of a delivery',
    ],
    [
      'names another account',
      '{"account_id":1,"seq":1,"snapshot_id":"20260228T000000Z"}',
      'it is of account 1',
    ],
    [
      'names an unknown snapshot',
      'OWN',
      'it names snapshot 20260228T000000Z, which the publish log of the account does not have',
    ],
  ])('leaves a latest.json alone that %s', async (title, text, why) => {
    const prefix = title.replaceAll(' ', '-');
    const { account } = await test.found(prefix);
    const body = text === 'OWN' ? `{"account_id":${account},"seq":1,"snapshot_id":"20260228T000000Z"}` : text;
    test.s3.bucket.objects.set(`${prefix}/latest.json`, {
      body: Buffer.from(body),
      modified: new Date(0),
      headers: {},
    });
    await test.publish(account, 1);
    await deliverAll();
    expect(test.object(`${prefix}/latest.json`)).toBe(body);
    expect(await test.faults(account)).toEqual([`delivery: latest.json is there, but ${why}.`]);
    expect(await test.states(account)).toEqual([`${idOf(1)} pending 1`]);
  });

  it('overwrites no object with other bytes, and then makes no manifest', async () => {
    const { account } = await test.found('other');
    const key = `snapshots/${idOf(1)}/costs.parquet`;
    test.s3.bucket.objects.set(`other/${key}`, {
      body: Buffer.from('mine'),
      modified: new Date(0),
      headers: {},
    });
    await test.publish(account, 1);
    await deliverAll();
    expect(test.object(`other/${key}`)).toBe('mine');
    expect(test.object(`other/snapshots/${idOf(1)}/manifest.json`)).toBeNull();
    expect(await test.faults(account)).toEqual([
      `delivery: ${key} is there with other bytes than were published.`,
    ]);
  });

  it('records which objects it made, and which were there before with the same bytes', async () => {
    const { account } = await test.found('mixed');
    await test.publish(account, 1);
    const body = Buffer.from(`costs of ${account} 1`);
    test.s3.bucket.objects.set(`mixed/snapshots/${idOf(1)}/costs.parquet`, {
      body,
      modified: new Date(0),
      headers: {},
    });
    await deliverAll();
    const { rows } = await test.service.query<{ key: string }>(
      'select key from ops.delivered_objects where account_id = $1 and not own',
      [account],
    );
    expect(rows).toEqual([{ key: `snapshots/${idOf(1)}/costs.parquet` }]);
    expect(await test.states(account)).toEqual([`${idOf(1)} delivered 1`]);
  });

  it('is not made of a snapshot that was retracted before', async () => {
    const { account } = await test.found('retracted');
    await test.publish(account, 1);
    await test.find();
    const by = 'test';
    await retract(
      {
        account_id: account,
        snapshot_id: idOf(1),
        reason: 'Wrong.',
        replaced_by: null,
        by,
        now: momentOf(2),
      },
      { store: test.store, clock: clockAt(momentOf(2)), newNonce: () => 'a'.repeat(32) },
    );
    await test.deliver();
    expect(await test.states(account)).toEqual([`${idOf(1)} withdrawn 1`]);
    expect(test.written('retracted')).toEqual([]);
  });

  it('of two accounts with one snapshot id goes to the target of each', async () => {
    const [first, second] = [await test.found('one'), await test.found('two')];
    for (const { account } of [first, second]) await test.publish(account, 1);
    await deliverAll();
    expect(test.object(`one/snapshots/${idOf(1)}/costs.parquet`)).toBe(`costs of ${first.account} 1`);
    expect(test.object(`two/snapshots/${idOf(1)}/costs.parquet`)).toBe(`costs of ${second.account} 1`);
  });

  it('of a damaged file is not made, and sends no byte', async () => {
    const { account } = await test.found('damaged');
    await test.publish(account, 1);
    const [key = ''] = [...test.store.objects.keys()].filter(
      (each) => each.includes(`/a/${account}/`) && each.endsWith('/costs.parquet'),
    );
    test.store.objects.set(key, Buffer.from(`COSTS of ${account} 1`));
    await deliverAll();
    expect(await test.states(account)).toEqual([`${idOf(1)} pending 1`]);
    expect((await test.faults(account))[0]).toMatch(/costs\.parquet: its block 0 is not what was audited/);
    expect(test.object(`damaged/snapshots/${idOf(1)}/costs.parquet`)).toBeNull();
  });

  it('that fails for a day is given up, and the next night is delivered', async () => {
    const { account } = await test.found('given-up');
    await test.publish(account, 1);
    test.s3.script(({ method }) => (method === 'PUT' ? { answer: 403, code: 'AccessDenied' } : null));
    await test.find();
    for (let tries = 0; tries < 17; tries += 1) {
      await test.deliver();
      await test.passBackoff();
    }
    test.s3.script(() => null);
    await test.publish(account, 2);
    await deliverAll();
    expect(await test.states(account)).toEqual([`${idOf(1)} failed 17`, `${idOf(2)} delivered 1`]);
    const abandoned = test.logged().filter((line) => line.includes('delivery.abandoned'));
    expect(abandoned.filter((line) => line.includes(`"account":"${account}"`))).toHaveLength(1);
  });
});
