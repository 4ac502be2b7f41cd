/** What a store of a customer may do besides failing: write texts, hang, and hold its answers for ever. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplacingStore } from '../../src/store/store.ts';
import { BUCKET } from '../support/scripted-s3.ts';
import { idOf, openTestDeliveries, type TestDeliveries } from './delivery-harness.ts';
import { openTestTarget } from './test-target.ts';

let test: TestDeliveries;
beforeAll(async () => {
  test = await openTestDeliveries();
});
afterAll(() => test[Symbol.asyncDispose]());

describe('a delivery', () => {
  it('that a bucket refuses with a text in place of a code tells nothing of that text', async () => {
    const { account } = await test.found('wordy');
    await test.publish(account, 1);
    test.logged();
    const code = 'read this '.repeat(500);
    test.s3.script(({ method }) => (method === 'PUT' ? { answer: 403, code } : null));
    await test.find();
    await test.deliver();
    test.s3.script(() => null);
    expect(await test.faults(account)).toEqual([
      'target: the bucket refused to create an object (403 with an unreadable code).',
    ]);
    const lines = test.logged();
    expect(lines.join('\n')).toContain('delivery.failed');
    expect(lines.join('\n')).not.toContain('read this');
    await test.passBackoff();
    await test.deliver();
  });

  it('of an account whose store hangs leaves lanes to other accounts', async () => {
    const [slow, quick] = [await test.found('slow'), await test.found('quick')];
    for (const night of [1, 2, 3]) {
      await test.publish(slow.account, night);
      await test.find();
    }
    await test.publish(quick.account, 1);
    await test.find();
    const taken = [];
    for (let next = await test.queue.take(); next !== null; next = await test.queue.take()) taken.push(next);
    expect(taken.map(({ account_id }) => account_id)).toEqual([slow.account, slow.account, quick.account]);
    for (const each of taken) await test.queue.giveBack(each);
    await test.deliver();
    expect(await test.states(slow.account)).toEqual([1, 2, 3].map((night) => `${idOf(night)} delivered 1`));
  });

  it('whose worker is stopped while a store holds its answer is given back at once', async () => {
    const { account } = await test.found('holding');
    await test.publish(account, 1);
    await test.find();
    const stop = new AbortController();
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<null>()];
    const openTarget = async (): Promise<ReplacingStore> => ({
      ...openTestTarget(`s3://${BUCKET}/holding`, test.s3.endpoint),
      stat: () => {
        asked.resolve();
        return held.promise;
      },
    });
    const ended = new Set<string>();
    const delivering = test
      .deliver({ signal: stop.signal, openTarget })
      .finally(() => ended.add('before the store answered'));
    await asked.promise;
    stop.abort(new Error('the worker stops'));
    // Far more statements than a worker needs to give it back.
    for (let statements = 0; statements < 200 && ended.size === 0; statements += 1)
      await test.states(account);
    ended.add('after it');
    held.resolve(null);
    await delivering;
    expect([...ended][0]).toBe('before the store answered');
    await test.deliver();
    expect(await test.states(account)).toEqual([`${idOf(1)} delivered 1`]);
  });
});
