/** No output shows a secret of a target, whatever its store answers: neither log, list, status, page and message, nor an error. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDeliverCommand } from '../../src/commands/deliver/deliver.ts';
import { addStatusCommand } from '../../src/commands/status.ts';
import { readSettings, type Settings } from '../../src/config.ts';
import { readStandings } from '../../src/deliveries/standing.ts';
import { addTarget } from '../../src/deliveries/targets.ts';
import { isCrossfootError } from '../../src/errors.ts';
import { errorFields } from '../../src/log.ts';
import { textLines } from '../../src/log-text.ts';
import { boundTo, openDeliveryTarget, sealKey } from '../../src/run/delivery-target.ts';
import { deliveriesSection } from '../../src/serve/pages/deliveries-section.ts';
import { bodyOf } from '../../src/webhooks/event.ts';
import { letterOf, postedBody } from '../../src/webhooks/forms.ts';
import { runCommand } from '../commands/in-process.ts';
import { foundAccount } from '../support/ledger-rows.ts';
import type { Fault } from '../support/s3-faults.ts';
import type { S3Request } from '../support/s3-objects.ts';
import { BUCKET } from '../support/scripted-s3.ts';
import { SEED } from '../support/signing.ts';
import { idOf, momentOf, openTestDeliveries, type TestDeliveries } from './delivery-harness.ts';
import { deliverySettings } from './delivery-settings.ts';

const ACCESS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a-secret-that-no-output-shows' };
const [KEY, OTHER] = ['k'.repeat(32), 'o'.repeat(32)];
const SMTP_PASSWORD = 'the-password-of-the-mail-server';
/** Parts of them count, too: no output has so many characters of a secret. */
const SECRETS = [ACCESS.secretAccessKey, KEY, OTHER, SMTP_PASSWORD, SEED].map((secret) =>
  secret.slice(4, 20),
);

let test: TestDeliveries;
let folder: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  [test, folder] = await Promise.all([openTestDeliveries(), mkdtemp(join(tmpdir(), 'crossfoot-secrets-'))]);
  const { database } = test;
  env = deliverySettings(database, folder, {
    SECRET_KEYS: KEY,
    SMTP_URL: `smtps://crossfoot:${SMTP_PASSWORD}@mail.example.com`,
    SMTP_FROM: 'crossfoot@example.com',
  });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

type Script = (request: S3Request) => Fault | null;

const ELSEWHERE = { location: 'https://169.254.169.254/', 'x-amz-bucket-region': 'us-west-2' };
interface Failing {
  /** What the store does. */
  readonly how: string;
  readonly fault: Script;
  readonly settings?: Readonly<Record<string, string>>;
}
const FAULTS: readonly Failing[] = [
  { how: 'refuses', fault: () => ({ answer: 403, code: 'AccessDenied' }) },
  { how: 'does not know the key', fault: () => ({ answer: 403, code: 'InvalidAccessKeyId' }) },
  { how: 'does not know the signature', fault: () => ({ answer: 403, code: 'SignatureDoesNotMatch' }) },
  {
    how: 'repeats the login',
    fault: ({ headers }) => ({ answer: 403, code: headers.authorization ?? '' }),
  },
  { how: 'asks for the key', fault: () => ({ answer: 400, code: 'Send your secret to store.example' }) },
  { how: 'leads elsewhere', fault: () => ({ answer: 307, code: 'Redirect', headers: ELSEWHERE }) },
  { how: 'is full', fault: () => ({ answer: 507, code: 'InsufficientStorage' }) },
  { how: 'fails', fault: () => ({ answer: 500, code: 'InternalError' }) },
  { how: 'is reset', fault: () => ({ reset: 'before' }) },
  { how: 'loses its answer', fault: () => ({ reset: 'after' }) },
  { how: 'is sealed with a lost key', fault: () => null, settings: { SECRET_KEYS: OTHER } },
  { how: 'is in no listed network', fault: () => null, settings: { DELIVERY_NETWORKS: '' } },
];

/** What an error says, and what the log would have of it. */
const told = (error: unknown): readonly string[] => [
  String(error),
  JSON.stringify(errorFields(error)),
  ...(isCrossfootError(error) ? [error.message, error.hint ?? '', JSON.stringify(error.data)] : []),
];

async function command(add: Parameters<typeof runCommand>[0], settings: typeof env, ...args: string[]) {
  const { printed, said, error } = await runCommand(add, settings, ...args);
  return [...printed, ...said, ...(error === undefined ? [] : told(error))];
}

/** The stored rows of deliveries, targets and jobs. */
async function rowsOf(): Promise<readonly string[]> {
  const { rows } = await test.owner.query<{ text: string }>(
    `select d::text as text from ops.snapshot_deliveries d union all select o::text from ops.delivered_objects o
     union all select t::text from vault.delivery_targets t union all select j::text from ops.job j`,
  );
  return rows.map(({ text }) => text);
}

async function pageAndMessages(account_id: bigint, target_id: bigint): Promise<readonly string[]> {
  const standings = await readStandings(test.service, account_id);
  const event = {
    type: 'snapshot.undelivered',
    account_id,
    target_id,
    snapshot_id: idOf(1),
    night: '2026-03-01',
    reason: standings[0]?.fault ?? 'none',
  } as const;
  const at = momentOf(1);
  const body = bodyOf(event, {
    at,
    since: at,
    left_out: null,
    changes: null,
    baseUrl: 'https://a.example/v1',
  });
  const page = String(await deliveriesSection(standings));
  return [page, body, postedBody('slack', body), postedBody('teams', body), letterOf(body).text];
}

describe('a secret of a target', () => {
  it.each(FAULTS)('is in no output when its store $how', async ({ how, fault, ...given }) => {
    const settings = { ...env, ...given.settings };
    const { account } = await foundAccount(test.owner);
    const place = { address: `s3://${BUCKET}/${how.replaceAll(' ', '-')}`, endpoint: test.s3.endpoint };
    const sealed = await sealKey(readSettings(env), ACCESS, boundTo(account, place));
    const target = await addTarget(test.owner, account, { ...place, region: null, sealed });
    await test.publish(account, 1);
    test.logged();
    const opened: Settings = readSettings(settings);
    test.s3.script((request) => (request.method === 'PUT' ? fault(request) : null));
    await test.find();
    await test.deliver({ openTarget: (due) => openDeliveryTarget(opened, due.account_id, due) });
    const of = ['--account', String(account)];
    const said = [
      ...(await command(addDeliverCommand, settings, 'deliver', 'test', String(target), ...of)),
      ...(await command(addDeliverCommand, settings, 'deliver', 'list', ...of)),
      ...(await command(addDeliverCommand, settings, 'deliver', 'list', ...of, '--json')),
      ...(await command(addDeliverCommand, settings, 'deliver', 'reseal')),
      ...(await command(addStatusCommand, settings, 'status')),
      ...(await command(addStatusCommand, settings, 'status', '--json')),
      ...(await pageAndMessages(account, target)),
      ...(await rowsOf()),
    ];
    test.s3.script(() => null);
    const lines = test.logged();
    expect(lines.join('\n')).toContain(`"target":"${target}"`);
    const log = textLines({ write: (text) => said.push(text) });
    for (const line of lines) log.write(line);
    said.push(...lines);
    expect(said.length).toBeGreaterThan(20);
    for (const secret of SECRETS) expect(said.filter((text) => text.includes(secret))).toEqual([]);
    await test.owner.query('delete from vault.delivery_targets');
    await test.service.query(`delete from ops.job where name = 'delivery'`);
  });
});
