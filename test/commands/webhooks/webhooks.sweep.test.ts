/** Webhooks of two accounts, from their adding to a night that one of them was refused. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuildCommand } from '../../../src/commands/build.ts';
import { addEnqueueCommand } from '../../../src/commands/enqueue.ts';
import { addWebhooksCommand } from '../../../src/commands/webhooks/webhooks.ts';
import { addWorkCommand } from '../../../src/commands/work.ts';
import { spoilAccount } from '../../fleet/spoil-account.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { opens, openReceiver, type Received, type Receiver } from '../../webhooks/receiver.ts';
import { EVENT_TYPES, eventName } from '../../../src/webhooks/names.ts';
import { openMailbox } from '../../webhooks/mailbox.ts';
import { type Ran, runCommand } from '../in-process.ts';
import { SEED } from '../../support/signing.ts';

let database: TestDatabase;
let folder: string;
let receiver: Receiver;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  [database, receiver, folder] = await Promise.all([
    createDatabase('template_company'),
    openReceiver(),
    mkdtemp(join(tmpdir(), 'crossfoot-webhooks-')),
  ]);
  env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: folder,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
    OWNER_URL: database.url('cf_owner'),
    BASE_URL: 'https://figures.example/v1',
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
  };
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await database.drop();
});

const webhooks = (...args: readonly string[]): Promise<Ran> =>
  runCommand(addWebhooksCommand, env, 'webhooks', ...args);
/** A test that builds: seconds of its own, and many times that beside others. */
const BUILDING_MS = 180_000;
const typesOf = (received: readonly Received[]): readonly string[] =>
  received.map(({ path, body }) => `${path} ${(JSON.parse(body) as { type: string }).type}`).toSorted();

describe('webhooks', () => {
  const secrets: string[] = [];

  it('are added, each with a secret that no list shows', async () => {
    for (const account of ['1', '2']) {
      const { printed, error } = await webhooks(
        'add',
        receiver.address(`/of-${account}`),
        '--account',
        account,
      );
      expect(error).toBeUndefined();
      expect(printed).toEqual([expect.stringMatching(/^whsec_[\w+/]{43}=$/)]);
      secrets.push(...printed);
    }
    expect(new Set(secrets).size).toBe(2);
    const listed = (await webhooks('list', '--account', '1')).printed;
    expect(listed.map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ['id', 'address', 'state'],
      ['1', receiver.address('/of-1'), 'active'],
    ]);
    expect(listed.join('\n')).not.toContain('whsec_');
    const json = (await webhooks('list', '--account', '1', '--json')).printed.join('');
    const ofOne = { id: 1, form: 'json', moved_share: 0.05, secrets: 1, pending: 0, delivered_at: null };
    expect(JSON.parse(json)).toMatchObject([ofOne]);
  });

  it.each([
    ['http://hooks.example/', 'it is not https'],
    ['https://10.0.0.1/', 'its address is private'],
    ['hooks.example', 'it is not a URL'],
  ])('are not added for %s', async (url, reason) => {
    expect((await webhooks('add', url, '--account', '1')).error).toMatchObject({
      code: 'usage_invalid',
      message: `This address cannot be a webhook: ${reason}.`,
    });
  });

  it.each([
    [['mailto:a@b.example'], 'it is a mailbox', 'Add --as email.'],
    [
      ['mailto:a@b.example', '--as', 'email'],
      'no mail server is set',
      'Set SMTP_URL and SMTP_FROM for this command and for the workers.',
    ],
    [
      ['https://hooks.example/', '--as', 'email'],
      'it is not one mailbox',
      'Write it as mailto:finance@example.com.',
    ],
    [
      ['mailto:a@b.example,c@d.example', '--as', 'email'],
      'it is not one mailbox',
      'Write it as mailto:finance@example.com.',
    ],
    [
      ['http://hooks.example/', '--as', 'slack'],
      'it is not https',
      'Use a public https:// address, or add your own network to WEBHOOK_NETWORKS.',
    ],
  ])('are not added by %j, with what to do instead', async (args, reason, hint) => {
    expect((await webhooks('add', ...args, '--account', '1')).error).toMatchObject({
      code: 'usage_invalid',
      message: `This address cannot be a webhook: ${reason}.`,
      hint,
    });
  });

  it('are not added in a form or for an event that there is not', async () => {
    const of = [receiver.address('/x'), '--account', '1'];
    expect((await webhooks('add', ...of, '--as', 'sms')).error).toMatchObject({
      message: expect.stringContaining('Allowed choices are json, slack, teams, email.'),
    });
    for (const [names, unknown] of [
      ['refused,lost', 'lost'],
      ['', ''],
      ['refused,', ''],
    ] as const) {
      expect((await webhooks('add', ...of, '--events', names)).error).toMatchObject({
        code: 'usage_invalid',
        message: `No event is called '${unknown}'.`,
        hint: 'The events are published, refused, failed, late, stale, retracted, damaged, moved, budget, delivered, undelivered.',
      });
    }
    for (const share of ['5', '0%', '-5%', 'five', '5%%']) {
      expect((await webhooks('add', ...of, `--moved=${share}`)).error).toMatchObject({
        code: 'usage_invalid',
        message: `--moved must be a share above 0, found '${share}'.`,
      });
    }
  });

  it('name every event in their help', async () => {
    const [option] = (await webhooks('add', '--help')).printed.join(' ').split(': those that it gets');
    for (const type of EVENT_TYPES) expect(option).toContain(eventName(type));
  });

  it('of people are added with their form and events, are tried in that form, and removed', async () => {
    await using mailbox = await openMailbox();
    const withMail = { ...env, SMTP_URL: mailbox.url(), SMTP_FROM: 'crossfoot@example.com' };
    const run = (...args: readonly string[]): Promise<Ran> =>
      runCommand(addWebhooksCommand, withMail, 'webhooks', ...args, '--account', '3');
    const asked = ['--as', 'slack', '--events', 'late, refused', '--moved', '2.5%'];
    const slack = await run('add', receiver.address('/slack'), ...asked);
    expect(slack.printed).toEqual([expect.stringMatching(/^whsec_/)]);
    const letters = await run('add', 'mailto:finance@example.com', '--as', 'email');
    expect([letters.printed, letters.said]).toEqual([[], ['webhook 4 of account 3 sends letters']]);
    const listed = (await run('list')).printed.map((line) => line.split(/ {2,}/));
    expect(listed.map((cells) => [cells[0], ...cells.slice(7)])).toEqual([
      ['id', 'as', 'events'],
      ['3', 'slack', 'refused,late,moved (2.5%)'],
      ['4', 'email', 'published,refused,failed,stale,retracted,damaged'],
    ]);
    // The address of a channel is all that a poster needs.
    const { origin } = new URL(receiver.address('/slack'));
    expect(listed.map((cells) => cells[1])).toEqual(['address', `${origin}/…`, 'mailto:finance@example.com']);
    expect((await run('list', '--json')).printed.join('')).not.toContain('/slack"');
    expect((await run('test', '3')).printed).toEqual(['webhook 3 answered 204']);
    expect((await run('test', '4')).printed).toEqual(['webhook 4 answered 250']);
    const text = 'This is a test: messages of account 3 arrive here.';
    expect(JSON.parse(receiver.received.splice(0)[0]?.body ?? '')).toMatchObject({ text });
    expect(mailbox.letters.map(({ to }) => to)).toEqual([['finance@example.com']]);
    expect(mailbox.letters[0]?.text).toContain(text);
    for (const id of ['3', '4']) expect((await run('remove', id)).error).toBeUndefined();
  });

  it('are tried by hand, signed as any other message', async () => {
    expect((await webhooks('test', '1', '--account', '1')).printed).toEqual(['webhook 1 answered 204']);
    const [tried] = receiver.received.splice(0);
    expect(await opens(secrets[0] ?? '', tried?.headers ?? {}, tried?.body ?? '')).toBe(true);
    expect(JSON.parse(tried?.body ?? '')).toMatchObject({ type: 'test', data: { account_id: 1 } });
    receiver.plan('/of-1', [{ status: 404 }, 'close']);
    for (const said of ['answered 404', 'gave no answer: ECONNRESET']) {
      expect((await webhooks('test', '1', '--account', '1')).error).toMatchObject({
        code: 'webhook_refused',
        message: `The receiver of webhook 1 ${said}.`,
      });
    }
    receiver.received.splice(0);
  });

  it('of no account but their own are shown, tried, rotated or removed', async () => {
    for (const [verb, ...rest] of [['test'], ['rotate'], ['remove']]) {
      const { error } = await webhooks(verb ?? '', '2', '--account', '1', ...rest);
      expect(error).toMatchObject({ code: 'not_found', message: 'Account 1 has no webhook 2.' });
    }
    expect((await webhooks('list', '--account', '99')).error).toMatchObject({ code: 'not_found' });
    expect((await webhooks('list', '--account', '3')).said).toEqual(['account 3 has no webhooks']);
  });

  it(
    'get events of snapshots that were published, refused, or failed without a further retry',
    async () => {
      await spoilAccount(await database.client('cf_owner'), 2n);
      await runCommand(addEnqueueCommand, env, 'enqueue');
      // Given up on at once, so that the test does not wait for the next try.
      await database.pool('cf_service', 1).query(`update ops.job set retry_limit = 0 where name = 'build'`);
      expect((await runCommand(addWorkCommand, env, 'work', '--until-empty')).error).toBeUndefined();
      expect(typesOf(receiver.received)).toEqual([
        '/of-1 snapshot.published',
        '/of-2 snapshot.failed',
        '/of-2 snapshot.refused',
      ]);
      for (const { path, headers, body } of receiver.received) {
        expect(await opens(secrets[path === '/of-1' ? 0 : 1] ?? '', headers, body)).toBe(true);
      }
      const refused = receiver.received.find(({ body }) => body.includes('snapshot.refused'));
      // A whole cost is missing from the view, not an amount that is off: the count of rows differs first.
      expect(JSON.parse(refused?.body ?? '')).toMatchObject({
        type: 'snapshot.refused',
        data: {
          account_id: 2,
          check: expect.stringMatching(/^\d\d-check-/),
          since: expect.any(String),
          url: 'https://figures.example/v1/reporting/latest',
        },
      });
      receiver.received.splice(0);
    },
    BUILDING_MS,
  );

  it(
    'get the event of a refusal in a build by hand',
    async () => {
      await (
        await database.client('cf_owner')
      ).query(`delete from ops.events where type = 'snapshot.refused'`);
      const { error } = await runCommand(addBuildCommand, env, 'build', '--account', '2');
      expect(error).toMatchObject({ code: 'audit_refused' });
      await runCommand(addWorkCommand, env, 'work', '--until-empty');
      expect(typesOf(receiver.received.splice(0))).toEqual(['/of-2 snapshot.refused']);
    },
    BUILDING_MS,
  );

  it('leave a log of their deliveries', async () => {
    const { printed } = await webhooks('deliveries', '--account', '1');
    expect(printed.map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
      ['event', 'webhook', 'state', 'tries', 'last answer'],
      ['snapshot.published', '1', 'delivered', '1', '204'],
    ]);
    const json = (await webhooks('deliveries', '--account', '1', '--json')).printed.join('');
    expect(JSON.parse(json)).toMatchObject([{ webhook_id: 1, state: 'delivered', status: 204, fault: null }]);
    expect((await webhooks('deliveries', '--account', '2', '--last', '1')).printed).toHaveLength(2);
  });

  it('are listed with "not in 90 days" if the log has no delivery to them', async () => {
    const owner = await database.client('cf_owner');
    // A worker deletes events of more than 90 days, with their deliveries.
    await owner.query('delete from ops.events where account_id = 1');
    const [, line = ''] = (await webhooks('list', '--account', '1')).printed;
    expect(line.split(/ {2,}/).slice(2, 6)).toEqual(['active', '1', '0', 'not in 90 days']);
  });

  it('are active again after a rotation, when a receiver had answered that its address is gone', async () => {
    const owner = await database.client('cf_owner');
    await owner.query(`update vault.webhooks set disabled_at = '2026-07-15T02:00:00Z' where account_id = 2`);
    const state = async (): Promise<string | undefined> =>
      (await webhooks('list', '--account', '2')).printed[1]?.split(/ {2,}/)[2];
    expect(await state()).toBe('disabled 2026-07-15 02:00 UTC (answered 410)');
    expect((await webhooks('rotate', '2', '--account', '2')).said).toEqual([
      expect.stringMatching(/^webhook 2 is active; messages are also signed with the previous secret/),
    ]);
    expect(await state()).toBe('active');
  });

  it('are signed with the new secret and the one before it after a rotation, and not with any older', async () => {
    const [second = ''] = (await webhooks('rotate', '1', '--account', '1')).printed;
    const [third = ''] = (await webhooks('rotate', '1', '--account', '1')).printed;
    await webhooks('test', '1', '--account', '1');
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received.splice(0);
    const opened = [secrets[0] ?? '', second, third].map((secret) => opens(secret, headers, body));
    expect(await Promise.all(opened)).toEqual([false, true, true]);
  });

  it('are removed with their log', async () => {
    expect((await webhooks('remove', '1', '--account', '1')).printed).toEqual(['webhook 1 removed']);
    expect((await webhooks('deliveries', '--account', '1')).said).toEqual([
      'no delivery to webhooks of account 1',
    ]);
  });
});
