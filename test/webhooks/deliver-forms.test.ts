/** Deliveries in each form, to a real receiver and a real mail server, over the real queue. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addWebhook } from '../../src/webhooks/endpoints.ts';
import { postedBody } from '../../src/webhooks/forms.ts';
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

describe('webhooks of several forms', () => {
  it('are told the same event, each in its form, and signed over what is sent', async () => {
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

  it('are told the events that they asked for, and no others', async () => {
    const { account } = await test.found('/all');
    const url = test.receiver.address('/late-only');
    await addWebhook(test.owner, account, { url, secret: secretOf(5), events: ['snapshot.late'] });
    const { snapshot_id, night } = { snapshot_id: '20260715T020101Z', night: '2026-07-15' };
    await test.enqueueEvent(published(account, 1));
    await test.enqueueEvent({ type: 'snapshot.late', account_id: account, snapshot_id, night });
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
