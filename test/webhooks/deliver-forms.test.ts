/** Deliveries in each form, to a real receiver and a real mail server, over the real queue. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addWebhook } from '../../src/webhooks/endpoints.ts';
import { postedBody } from '../../src/webhooks/forms.ts';
import type { NightChanges } from '../../src/webhooks/night-changes.ts';
import type { WebhookForm } from '../../src/webhooks/names.ts';
import { openMailbox } from './mailbox.ts';
import { opens } from './receiver.ts';
import { openTestTelling, published, secretOf, type TestTelling } from './webhook-harness.ts';

let test: TestTelling;
beforeAll(async () => {
  test = await openTestTelling();
});
afterEach(async () => {
  await test.service.query('delete from ops.job; delete from ops.events');
  test.receiver.received.length = 0;
});
afterAll(() => test[Symbol.asyncDispose]());

const snapshotAt = (second: number) => ({
  snapshot_id: `20260715T02010${second}Z`,
  night: '2026-07-15',
});

async function storedEvents(account: bigint): Promise<number> {
  const { rows } = await test.service.query<{ count: number }>(
    'select count(*)::int as count from ops.events where account_id = $1',
    [account],
  );
  return rows[0]?.count ?? -1;
}

describe('webhooks of several forms', () => {
  it('get the same event, each in its form, and signed over the sent bytes', async () => {
    const { account } = await test.found('/json');
    await using mailbox = await openMailbox();
    const add = (url: string, form: WebhookForm) =>
      addWebhook(test.owner, account, { url, secret: secretOf(5), form });
    await add(test.receiver.address('/slack'), 'slack');
    await add(test.receiver.address('/teams'), 'teams');
    await add('mailto:finance@example.com', 'email');
    await test.enqueueEvent(published(account, 1));
    await test.deliver({ mail: { url: mailbox.url(), from: 'crossfoot@example.com' } });
    expect(await test.log(account)).toEqual([
      'delivered 1 204',
      'delivered 1 204',
      'delivered 1 204',
      'delivered 1 250',
    ]);
    const [json, slack, teams] = test.receiver.received;
    expect(JSON.parse(json?.body ?? '')).toMatchObject({ type: 'snapshot.published' });
    expect([slack?.body, teams?.body]).toEqual([
      postedBody('slack', json?.body ?? ''),
      postedBody('teams', json?.body ?? ''),
    ]);
    expect(await opens(secretOf(5), slack?.headers ?? {}, slack?.body ?? '')).toBe(true);
    expect(mailbox.letters.map(({ to }) => to)).toEqual([['finance@example.com']]);
  });

  it('get the events that they asked for, and no others', async () => {
    const { account } = await test.found('/all');
    const url = test.receiver.address('/late-only');
    await addWebhook(test.owner, account, { url, secret: secretOf(5), events: ['snapshot.late'] });
    await test.enqueueEvent(published(account, 1));
    await test.enqueueEvent({ type: 'snapshot.late', account_id: account, ...snapshotAt(1) });
    await test.deliver();
    const paths = test.receiver.received.map(({ path, body }) => [
      path,
      (JSON.parse(body) as { type: string }).type,
    ]);
    // A webhook that names no events is told the six types of the first version.
    expect(paths).toEqual([
      ['/all', 'snapshot.published'],
      ['/late-only', 'snapshot.late'],
    ]);
  });

  it('get the totals that moved by the share that they asked for, and passed budgets', async () => {
    const { account } = await test.found('/first-types');
    const events = ['totals.moved', 'budget.passed'];
    for (const [path, moved_share] of [
      ['/five', '0.05'],
      ['/six', '0.06'],
    ] as const) {
      const url = test.receiver.address(path);
      await addWebhook(test.owner, account, { url, secret: secretOf(5), events, moved_share });
    }
    const compared = (second: number, after_cents: number, budgets: NightChanges['budgets']) => {
      const { snapshot_id, night } = snapshotAt(second);
      const totals = [{ figure: 'cost_cents' as const, before_cents: 10_000, after_cents }];
      test.changes.set(`${account} ${snapshot_id}`, { compared_with: '20260714T020101Z', totals, budgets });
      return { account_id: account, snapshot_id, night };
    };
    const passed = { initiative_id: 101, part: null, currency: null, budget_cents: null, actual_cents: null };
    const nights = [compared(1, 10_499, []), compared(2, 10_500, []), compared(3, 10_600, [passed])];
    for (const of of [...nights, ...nights]) {
      await test.enqueueEvent({ type: 'totals.moved', ...of });
      await test.enqueueEvent({ type: 'budget.passed', ...of });
    }
    await test.deliver();
    const told = test.receiver.received.map(({ path, body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { snapshot_id: string } };
      return `${path} ${type} ${data.snapshot_id}`;
    });
    expect(told.toSorted()).toEqual([
      '/five budget.passed 20260715T020103Z',
      '/five totals.moved 20260715T020102Z',
      '/five totals.moved 20260715T020103Z',
      '/six budget.passed 20260715T020103Z',
      '/six totals.moved 20260715T020103Z',
    ]);
    // One event for each comparison, told or not: it is not read again.
    expect(await storedEvents(account)).toBe(6);
  });

  it('get a comparison once it is stored, which is not read for other webhooks', async () => {
    const { account } = await test.found('/first-types');
    const of = { type: 'totals.moved', account_id: account, ...snapshotAt(1) } as const;
    const totals = [{ figure: 'cost_cents' as const, before_cents: 0, after_cents: 1 }];
    const changes = { compared_with: '20260714T020101Z', totals, budgets: [] };
    test.changes.set(`${account} ${of.snapshot_id}`, changes);
    await test.enqueueEvent(of);
    expect(await storedEvents(account)).toBe(0);
    test.changes.clear();
    const url = test.receiver.address('/moved');
    await addWebhook(test.owner, account, { url, secret: secretOf(5), events: ['totals.moved'] });
    await test.enqueueEvent(of);
    expect(await storedEvents(account)).toBe(0);
    test.changes.set(`${account} ${of.snapshot_id}`, changes);
    await test.enqueueEvent(of);
    await test.deliver();
    expect(test.receiver.received.map(({ path }) => path)).toEqual(['/moved']);
  });

  it('keep a letter while no mail server is set, and send it once one is', async () => {
    const { account } = await test.found();
    await using mailbox = await openMailbox();
    const url = 'mailto:finance@example.com';
    await addWebhook(test.owner, account, { url, secret: secretOf(5), form: 'email' });
    await test.enqueueEvent(published(account, 1));
    await test.deliver();
    expect(await test.log(account)).toEqual(['pending 1 mail_unset']);
    mailbox.plan(450);
    for (const state of ['pending 2 450', 'delivered 3 250']) {
      await test.passBackoff();
      await test.deliver({ mail: { url: mailbox.url(), from: 'crossfoot@example.com' } });
      expect(await test.log(account)).toEqual([state]);
    }
  });
});
