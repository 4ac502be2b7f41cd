/** Deliveries to a receiver that fails in every way there is, over the real queue. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rotateSecret } from '../../src/webhooks/endpoints.ts';
import { openTestTelling, published, secretOf, type TestTelling } from './webhook-harness.ts';
import { opens, type Manner, type Received } from './receiver.ts';

let test: TestTelling;
beforeAll(async () => {
  test = await openTestTelling();
});
afterEach(async () => {
  await test.service.query('delete from ops.job; delete from ops.events');
  test.receiver.received.length = 0;
  test.logged();
});
afterAll(() => test[Symbol.asyncDispose]());

const idsOf = (received: readonly Received[]): readonly unknown[] =>
  received.map(({ headers }) => headers['webhook-id']);
const snapshotsOf = (received: readonly Received[]): readonly unknown[] =>
  received.map(({ body }) => (JSON.parse(body) as { data: { snapshot_id: string } }).data.snapshot_id);

describe('a receiver that accepts messages', () => {
  it('gets each event once, in order and signed', async () => {
    const { account } = await test.found('/in-order');
    for (const second of [1, 2, 3]) await test.enqueueEvent(published(account, second));
    await test.deliver();
    const { received } = test.receiver;
    expect(snapshotsOf(received)).toEqual(['20260715T020101Z', '20260715T020102Z', '20260715T020103Z']);
    expect(new Set(idsOf(received)).size).toBe(3);
    for (const { method, headers, body } of received) {
      expect([method, headers['content-type'], headers['user-agent']]).toEqual([
        'POST',
        'application/json',
        'crossfoot/test',
      ]);
      // The clock of the test stands at 2026-07-15T01:46:40Z.
      expect(headers['webhook-timestamp']).toBe(String(Date.UTC(2026, 6, 15, 1, 46, 40) / 1_000));
      expect(await opens(secretOf(1), headers, body)).toBe(true);
      expect(await opens(secretOf(2), headers, body)).toBe(false);
    }
    expect(await test.log(account)).toEqual(['delivered 1 204', 'delivered 1 204', 'delivered 1 204']);
  });

  it('gets one message for equal events of several senders', async () => {
    const { account } = await test.found('/said-twice');
    await Promise.all([test.enqueueEvent(published(account, 1)), test.enqueueEvent(published(account, 1))]);
    await test.deliver();
    await test.enqueueEvent(published(account, 1));
    await test.deliver();
    expect(test.receiver.received).toHaveLength(1);
  });

  it('gets messages signed with both secrets after a rotation', async () => {
    const { account, webhooks } = await test.found('/rotated');
    await rotateSecret(test.owner, account, webhooks[0] ?? 0n, secretOf(9));
    await test.enqueueEvent(published(account, 1));
    await test.deliver();
    const [{ headers, body } = { headers: {}, body: '' }] = test.receiver.received;
    expect(await opens(secretOf(1), headers, body)).toBe(true);
    expect(await opens(secretOf(9), headers, body)).toBe(true);
  });

  it('gets a message in one attempt, even if the body of the answer to it never ends', async () => {
    const { account } = await test.found('/endless');
    test.receiver.plan('/endless', ['endless']);
    await test.enqueueEvent(published(account, 1));
    await test.deliver();
    expect(await test.log(account)).toEqual(['delivered 1 200']);
  });
});

it('a webhook gets no message about another account, and an account without a webhook gets none at all', async () => {
  const { account: silent } = await test.found();
  const { account: other } = await test.found('/other');
  await test.enqueueEvent(published(silent, 1));
  await test.deliver();
  expect(test.receiver.received).toEqual([]);
  await test.enqueueEvent(published(other, 1));
  await test.deliver();
  expect(test.receiver.received.map(({ path }) => path)).toEqual(['/other']);
  expect(JSON.parse(test.receiver.received[0]?.body ?? '')).toMatchObject({
    data: { account_id: Number(other) },
  });
});

const busy = (seconds: string): Manner => ({ status: 429, headers: { 'retry-after': seconds } });

describe('a receiver that fails', () => {
  const failures: readonly (readonly [name: string, manner: Manner, answer: string])[] = [
    ['answers 500', { status: 500 }, '500'],
    ['hangs', 'hang', 'timeout'],
    ['closes the connection', 'close', 'ECONNRESET'],
    ['answers 429', busy('120'), '429'],
    ['redirects', { status: 301, headers: { location: '/elsewhere' } }, '301'],
  ];

  it.each(failures)(
    'and %s gets the same message with the same id again, until it accepts it',
    async (_, manner, answer) => {
      const { account } = await test.found('/failing');
      test.receiver.plan('/failing', [manner, manner]);
      await test.enqueueEvent(published(account, 1));
      await test.deliver();
      expect(await test.log(account)).toEqual([`pending 1 ${answer}`]);
      // The queue does not try again before the wait has ended.
      await test.deliver();
      expect(test.receiver.received).toHaveLength(1);
      await test.passBackoff();
      await test.deliver();
      await test.passBackoff();
      await test.deliver();
      expect(await test.log(account)).toEqual(['delivered 3 204']);
      const { received } = test.receiver;
      expect(received.map(({ path }) => path)).toEqual(['/failing', '/failing', '/failing']);
      expect(new Set(idsOf(received)).size).toBe(1);
      expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    },
  );

  it('in each of these ways in turn gets every event at least once', async () => {
    const { account } = await test.found('/all-at-once');
    test.receiver.plan(
      '/all-at-once',
      failures.map(([, manner]) => manner),
    );
    for (const second of [1, 2, 3, 4, 5, 6]) await test.enqueueEvent(published(account, second));
    await test.deliver();
    await test.passBackoff();
    await test.deliver();
    expect(await test.log(account)).toEqual([...Array<string>(5).fill('delivered 2 204'), 'delivered 1 204']);
    // Five failed deliveries and a delivery that was taken, then the five again.
    const sent = snapshotsOf(test.receiver.received);
    expect([sent.length, new Set(sent.slice(5)).size]).toEqual([11, 6]);
  });

  it('is left alone for as long as it asks, and never for more than four hours', async () => {
    const { account } = await test.found('/busy');
    test.receiver.plan('/busy', [busy('120'), busy('999999')]);
    await test.enqueueEvent(published(account, 1));
    const waits = async (): Promise<number> => {
      const { rows } = await test.service.query<{ seconds: number }>(
        `select round(extract(epoch from start_after - now()))::int as seconds from ops.job where name = 'webhook'`,
      );
      return rows[0]?.seconds ?? 0;
    };
    await test.deliver();
    // Without `retry-after`, the delivery would wait at most 10 seconds.
    const asked = await waits();
    expect([asked > 100, asked <= 120]).toEqual([true, true]);
    await test.passBackoff();
    await test.deliver();
    const capped = await waits();
    expect([capped > 14_000, capped <= 14_400]).toEqual([true, true]);
  });

  it('gets no more messages once it answers 410', async () => {
    const { account } = await test.found('/gone', '/stays');
    test.receiver.plan('/gone', [{ status: 410 }]);
    for (const second of [1, 2]) await test.enqueueEvent(published(account, second));
    await test.deliver();
    await test.enqueueEvent(published(account, 3));
    await test.deliver();
    expect(test.receiver.received.map(({ path }) => path).toSorted()).toEqual([
      '/gone',
      '/stays',
      '/stays',
      '/stays',
    ]);
    expect((await test.log(account)).toSorted()).toEqual([
      'delivered 1 204',
      'delivered 1 204',
      'delivered 1 204',
      'disabled 0',
      'disabled 1 410',
    ]);
  });

  it('is given up after a day of failures, and the log says so', async () => {
    const { account } = await test.found('/dead');
    test.receiver.plan(
      '/dead',
      Array.from({ length: 20 }, () => ({ status: 503 })),
    );
    await test.enqueueEvent(published(account, 1));
    for (let tries = 0; tries < 20; tries += 1) {
      await test.deliver();
      await test.passBackoff();
    }
    // The first try and sixteen more.
    expect(await test.log(account)).toEqual(['failed 17 503']);
    expect(test.logged().at(-1)).toMatchObject({ event: 'webhook.abandoned', level: 'error', attempt: 17 });
  });
});

describe('the log', () => {
  it('names the webhook and the event, and neither the address nor the secret', async () => {
    const { account, webhooks } = await test.found('/a-path-that-is-a-password');
    test.receiver.plan('/a-path-that-is-a-password', ['close']);
    await test.enqueueEvent(published(account, 1));
    await test.deliver();
    await test.passBackoff();
    await test.deliver();
    const lines = test.logged();
    const [of, webhook] = [String(account), String(webhooks[0])];
    expect(lines).toMatchObject([
      { event: 'event.told', account: of, outcome: 'snapshot.published', rows: 1 },
      { event: 'webhook.failed', account: of, webhook, attempt: 1, code: 'ECONNRESET' },
      { event: 'webhook.delivered', account: of, webhook, attempt: 2, status: 204 },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/password|whsec_/);
  });
});

it('the log has no line for an event that no webhook receives', async () => {
  const { account } = await test.found();
  await test.enqueueEvent(published(account, 1));
  expect(test.logged().filter(({ account: of }) => of === String(account))).toEqual([]);
});

describe('a worker', () => {
  it('that is killed while its receiver hangs leaves the delivery to another', async () => {
    const { account } = await test.found('/killed');
    test.receiver.plan('/killed', ['hang']);
    await test.enqueueEvent(published(account, 1));
    const worker = fork(fileURLToPath(new URL('delivery-worker.ts', import.meta.url)), [
      test.database.url('cf_service'),
    ]);
    const ended = once(worker, 'exit');
    await test.receiver.came(1);
    worker.kill('SIGKILL');
    await ended;
    await test.deliver();
    expect(test.receiver.received).toHaveLength(1);
    await test.passLoss();
    await test.deliver();
    expect(await test.log(account)).toEqual(['delivered 1 204']);
    expect(new Set(idsOf(test.receiver.received)).size).toBe(1);
  });

  it('that is killed after it recorded a delivery and before it completed the job sends no message twice', async () => {
    const { account } = await test.found('/unsaid');
    await test.enqueueEvent(published(account, 1));
    await test.deliver({
      queue: { ...test.queue, complete: () => Promise.reject(new Error('killed')) },
      sleep: async () => undefined,
    });
    await test.passLoss();
    await test.deliver();
    expect(test.receiver.received).toHaveLength(1);
    expect(await test.log(account)).toEqual(['delivered 1 204']);
  });

  it('that is stopped returns its deliveries to the queue at once', async () => {
    const { account } = await test.found('/stopped');
    test.receiver.plan('/stopped', ['hang']);
    await test.enqueueEvent(published(account, 1));
    const stop = new AbortController();
    const delivering = test.deliver({ signal: stop.signal, timeout_ms: 60_000 });
    await test.receiver.came(1);
    stop.abort();
    await delivering;
    await test.deliver();
    expect(await test.log(account)).toEqual(['delivered 1 204']);
  });
});
