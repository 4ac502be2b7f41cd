/** Letters through a real mail server. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mailAddressOf, sendLetter } from '../../src/webhooks/mail.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';

const LETTER = {
  message_id: 'msg_a',
  to: 'finance@example.com',
  subject: 'Account 7: snapshot refused',
  text: 'The audit refused it − by USD 1.00.\n',
};
const FROM = 'crossfoot@example.com';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await openMailbox();
});
afterEach(() => {
  mailbox.letters.length = 0;
  mailbox.logins.length = 0;
});
afterAll(() => mailbox[Symbol.asyncDispose]());

const never = new AbortController().signal;
const send = (url: string, options: { readonly signal?: AbortSignal; readonly timeout_ms?: number } = {}) =>
  sendLetter(LETTER, { mail: { url, from: FROM }, signal: never, ...options });

describe('a letter', () => {
  it('comes to its one mailbox with subject, text, and the same id at each try', async () => {
    expect(await send(mailbox.url())).toEqual({ status: 250, retry_after_s: null });
    await send(mailbox.url());
    expect(mailbox.letters.map(({ to, from }) => [to, from])).toEqual([
      [['finance@example.com'], FROM],
      [['finance@example.com'], FROM],
    ]);
    for (const { text } of mailbox.letters) {
      expect(text).toMatch(/^Message-ID: <msg_a@crossfoot>\r$/m);
      expect(text).toMatch(/^Subject: Account 7: snapshot refused\r$/m);
      // Out-of-office replies do not answer a letter of a program.
      expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
      expect(text).toContain('The audit refused it =E2=88=92 by USD 1.00.');
    }
  });

  it.each([421, 450, 550])('that the mail server answers with %i has this status', async (status) => {
    mailbox.plan(status);
    expect(await send(mailbox.url())).toEqual({ status, retry_after_s: null });
    expect(mailbox.letters).toEqual([]);
  });

  it('whose mail server does not answer in time has a fault and no status', async () => {
    mailbox.plan('hang');
    expect(await send(mailbox.url(), { timeout_ms: 300 })).toEqual({ fault: 'ETIMEDOUT' });
  });

  it('without a mail server, or with an unreachable mail server, has a fault', async () => {
    const gone = await openMailbox();
    const url = gone.url();
    await gone[Symbol.asyncDispose]();
    expect(await send(url)).toEqual({ fault: 'ESOCKET' });
    expect(await sendLetter(LETTER, { mail: null, signal: never })).toEqual({ fault: 'mail_unset' });
  });

  it('sends no login in the clear, and no login to a server with an untrusted certificate', async () => {
    expect(await send(mailbox.url('crossfoot:p%40ss'))).toEqual({ fault: 'ETLS' });
    await using unknown = await openMailbox({ tls: true });
    expect(await send(unknown.url('crossfoot:p%40ss'))).toEqual({ fault: 'ESOCKET' });
    expect([...mailbox.logins, ...unknown.logins]).toEqual([]);
  });

  it('that is stopped rejects at once, and says nothing of the mail server', async () => {
    mailbox.plan('hang');
    const stop = new AbortController();
    const sending = send(mailbox.url(), { signal: stop.signal });
    stop.abort(new Error('the worker stops'));
    await expect(sending).rejects.toThrow('the worker stops');
  });
});

describe('the address of a letter', () => {
  it.each([
    ['mailto:finance@example.com', 'finance@example.com'],
    ['mailto:Finance.Team+ai@example.com', 'Finance.Team+ai@example.com'],
    ['mailto:a@example.com,b@example.com', null],
    ['mailto:a@example.com?cc=b@example.com', null],
    ['mailto:a@example.com#b', null],
    ['mailto:a@example.com%0ABcc:b@example.com', null],
    ['mailto:', null],
    ['mailto:finance', null],
    ['https://example.com/a@example.com', null],
  ])('of %s is %s', (url, address) => {
    expect(mailAddressOf(new URL(url))).toBe(address);
  });
});
