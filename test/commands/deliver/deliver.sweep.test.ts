/** Deliveries from the adding of their targets to the files of a night, in a bucket and in a folder. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuildCommand } from '../../../src/commands/build.ts';
import { addDeliverCommand } from '../../../src/commands/deliver/deliver.ts';
import { addStatusCommand } from '../../../src/commands/status.ts';
import { addWebhooksCommand } from '../../../src/commands/webhooks/webhooks.ts';
import { addWorkCommand } from '../../../src/commands/work.ts';
import { isCrossfootError } from '../../../src/errors.ts';
import { FILES } from '../../deliveries/delivery-harness.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { BUCKET, type ScriptedS3, startScriptedS3 } from '../../support/scripted-s3.ts';
import { openReceiver, type Receiver } from '../../webhooks/receiver.ts';
import { type Ran, runCommand } from '../in-process.ts';
import { deliverySettings } from '../../deliveries/delivery-settings.ts';

/** A test that builds: seconds of its own, and many times that beside others. */
const BUILDING_MS = 180_000;
const [SECRET, WRONG] = ['never-to-be-seen-0123456789', 'not-to-be-seen-either'];
const TARGET = `s3://${BUCKET}/figures`;

let database: TestDatabase;
let s3: ScriptedS3;
let receiver: Receiver;
let folder: string;
let env: Readonly<Record<string, string>>;
/** All that any command printed, said or failed with. */
const seen: string[] = [];

beforeAll(async () => {
  [database, s3, receiver, folder] = await Promise.all([
    createDatabase('template_company'),
    startScriptedS3(),
    openReceiver(),
    mkdtemp(join(tmpdir(), 'crossfoot-deliver-')),
  ]);
  env = deliverySettings(database, folder, { WEBHOOK_NETWORKS: '127.0.0.0/8' });
  await writeFile(join(folder, 'secret'), `${SECRET}\n`);
  await writeFile(join(folder, 'wrong'), `${WRONG} ${WRONG}`);
});
afterAll(async () => {
  await Promise.all([s3[Symbol.asyncDispose](), receiver[Symbol.asyncDispose]()]);
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await database.drop();
});

async function deliver(...args: readonly string[]): Promise<Ran> {
  return await deliverWith(env, ...args);
}

async function deliverWith(settings: typeof env, ...args: readonly string[]): Promise<Ran> {
  const ran = await runCommand(addDeliverCommand, settings, 'deliver', ...args);
  const failed = isCrossfootError(ran.error)
    ? [ran.error.message, ran.error.hint, ran.error.data]
    : [ran.error];
  seen.push(...ran.printed, ...ran.said, JSON.stringify(failed), String(ran.error));
  return ran;
}
const withKey = (file = 'secret'): readonly string[] => [
  '--endpoint',
  s3.endpoint,
  '--access-key',
  'AKIAEXAMPLE',
  '--secret-file',
  join(folder, file),
];
const cellsOf = (printed: readonly string[]): readonly (readonly string[])[] =>
  printed.map((line) => line.split(/ {2,}/).slice(0, 6));

describe('targets of deliveries', () => {
  it('are added with a sealed key, or as a folder, and listed without the secret', async () => {
    expect((await deliver('add', TARGET, '--account', '1', ...withKey())).error).toBeUndefined();
    const added = await deliver('add', join(folder, 'theirs'), '--account', '1');
    expect(added.said).toEqual([
      'target 2 of account 1; workers deliver the newest snapshot within minutes',
      'npx --no crossfoot deliver test 2 --account 1 tries it now',
    ]);
    expect(cellsOf((await deliver('list', '--account', '1')).printed)).toEqual([
      ['id', 'target', 'endpoint', 'credentials', 'delivered', 'newest delivery'],
      ['1', TARGET, s3.endpoint, 'its own, sealed', 'nothing yet', 'none yet'],
      ['2', `file://${join(folder, 'theirs')}`, 'none', 'none', 'nothing yet', 'none yet'],
    ]);
    const json = JSON.parse(
      (await deliver('list', '--account', '1', '--json')).printed.join('\n'),
    ) as unknown;
    expect(json).toMatchObject([
      { id: 1, address: TARGET, endpoint: s3.endpoint, has_secret: true, delivered: null, keep: null },
      { id: 2, address: `file://${join(folder, 'theirs')}`, endpoint: null, has_secret: false },
    ]);
    expect((await deliver('list', '--account', '2', '--json')).printed).toEqual(['[]']);
    expect((await deliver('list', '--account', '2')).said).toEqual([
      'account 2 has no targets of deliveries',
    ]);
  });

  it.each([
    [['figures@', '--region', 'x'], 'a folder takes no --endpoint, --region, --access-key and --secret-file'],
    [['https://store.example/b'], 'a target is s3://bucket/prefix, or the path of a folder'],
    [['s3://user:pass@bucket/p'], 'a target is s3://bucket/prefix, or the path of a folder'],
    [['s3://Bucket/p'], 'a target is s3://bucket/prefix, or the path of a folder'],
    [['/'], 'the root of the file system is no folder for deliveries'],
    [['s3://bucket/p', '--endpoint', 'store.example'], '--endpoint must be an https:// URL without a path'],
    [
      ['s3://bucket/p', '--endpoint', 'https://a:b@store.example'],
      '--endpoint holds a login; give the key with --access-key',
    ],
    [['s3://bucket/p', '--region', 'EU West'], '--region must be the name of a region, such as eu-west-1'],
    [['s3://bucket/p', '--secret-file', 'x'], '--secret-file needs --access-key, the id of the key'],
  ])('are not added by %j: %s', async (args, why) => {
    expect((await deliver('add', ...args, '--account', '1')).error).toMatchObject({
      code: 'usage_invalid',
      message: `This target cannot be added: ${why}.`,
    });
  });

  it('are not added with a secret of two words, at another target, or for an unknown account', async () => {
    expect(
      (await deliver('add', 's3://bucket/p', '--account', '1', ...withKey('wrong'))).error,
    ).toMatchObject({
      message: 'This target cannot be added: the secret must be one word.',
    });
    for (const [address, overlap] of [
      [TARGET, 'equal to'],
      [`${TARGET}/a`, 'inside'],
      [`s3://${BUCKET}`, 'around'],
    ] as const) {
      expect((await deliver('add', address, '--account', '2', ...withKey())).error).toMatchObject({
        message: `Snapshots cannot be delivered there: it is ${overlap} target 1 of account 1.`,
      });
    }
    expect((await deliver('add', 's3://bucket/p', '--account', '99', ...withKey())).error).toMatchObject({
      code: 'not_found',
    });
    expect((await deliver('add', 's3://bucket/p', '--account', '1')).error).toMatchObject({
      message: 'Snapshots cannot be delivered there: DELIVERY_BUCKETS does not list its bucket.',
    });
  });

  it('keep their keys when the SECRET_KEYS rotate: the old key goes after they are sealed again', async () => {
    const [old, fresh] = ['0'.repeat(32), '1'.repeat(32)];
    const only = { ...env, SECRET_KEYS: fresh };
    const tried = (settings: typeof env) => deliverWith(settings, 'test', '1', '--account', '1');
    const lost = await deliverWith(only, 'reseal');
    expect(lost.printed).toEqual(['0 sealed again; the first of the SECRET_KEYS opens 0 of 1']);
    expect(lost.error).toMatchObject({
      message: 'No key of the SECRET_KEYS opens target 1 of account 1.',
    });
    expect((await tried(only)).error).toMatchObject({ code: 'delivery_refused' });
    const both = { ...env, SECRET_KEYS: `${fresh},${old}` };
    expect((await deliverWith(both, 'reseal')).printed).toEqual([
      '1 sealed again; the first of the SECRET_KEYS opens 1 of 1',
    ]);
    expect((await deliverWith(both, 'reseal')).printed).toEqual([
      '0 sealed again; the first of the SECRET_KEYS opens 1 of 1',
    ]);
    expect((await tried(only)).printed).toEqual([
      'target 1 can be written, read and replaced, and deleted from',
    ]);
    // Back to the key of the other tests.
    await deliverWith({ ...env, SECRET_KEYS: `${old},${fresh}` }, 'reseal');
    expect((await tried(env)).error).toBeUndefined();
    s3.bucket.objects.clear();
  });

  it('are tried, and say what is wrong with them', async () => {
    expect((await deliver('test', '1', '--account', '1')).printed).toEqual([
      'target 1 can be written, read and replaced, and deleted from',
    ]);
    expect((await deliver('test', '2', '--account', '1')).error).toBeUndefined();
    expect(s3.bucket.objects.size).toBe(0);
    s3.bucket.quirks.add('keeps what is deleted');
    expect((await deliver('test', '1', '--account', '1')).said).toEqual([
      'the object of this test, below probe/, could not be deleted',
      'Workers deliver: they need the same DELIVERY_BUCKETS and DELIVERY_NETWORKS as this command.',
    ]);
    s3.bucket.quirks.clear();
    s3.bucket.quirks.add('ignores conditions');
    expect((await deliver('test', '1', '--account', '1')).error).toMatchObject({
      code: 'delivery_refused',
      message: 'The target breaks a promise: a second create changes nothing.',
    });
    s3.bucket.quirks.clear();
    s3.script(() => ({ answer: 403, code: 'AccessDenied' }));
    expect((await deliver('test', '1', '--account', '1')).error).toMatchObject({
      message: 'target: the bucket refused to create an object (403 AccessDenied).',
    });
    s3.script(() => null);
    s3.bucket.objects.clear();
  });

  it(
    'get the newest snapshot from a worker, the same files in the bucket and in the folder, after people are told of the night',
    async () => {
      const webhook = [receiver.address('/told'), '--events', 'published,delivered', '--account', '1'];
      expect(
        (await runCommand(addWebhooksCommand, env, 'webhooks', 'add', ...webhook)).error,
      ).toBeUndefined();
      const types = (): readonly unknown[] =>
        receiver.received.map(({ body }) => (JSON.parse(body) as { type: unknown }).type);
      let before: readonly unknown[] = [];
      s3.script(({ method }) => {
        if (method === 'PUT' && before.length === 0) before = types();
        return null;
      });
      expect((await runCommand(addBuildCommand, env, 'build', '--account', '1')).error).toBeUndefined();
      expect((await runCommand(addWorkCommand, env, 'work', '--until-empty')).error).toBeUndefined();
      // A store of a customer may be slow: it keeps no message about the night waiting.
      expect(before).toEqual(['snapshot.published']);
      expect(types()).toEqual(['snapshot.published', 'snapshot.delivered', 'snapshot.delivered']);
      const latest = JSON.parse(await readFile(join(folder, 'theirs', 'latest.json'), 'utf8')) as {
        snapshot_id: string;
      };
      const below = `snapshots/${latest.snapshot_id}`;
      expect((await readdir(join(folder, 'theirs', below))).toSorted()).toEqual(FILES.toSorted());
      for (const file of [...FILES.map((each) => `${below}/${each}`), 'latest.json']) {
        const inBucket = s3.bucket.objects.get(`figures/${file}`)?.body;
        expect([file, inBucket?.equals(await readFile(join(folder, 'theirs', file)))]).toEqual([file, true]);
      }
      const { printed: told } = await runCommand(addStatusCommand, env, 'status', '--json');
      expect(JSON.parse(told.join('\n'))).toMatchObject({
        deliveries: { targets: 2, delivered: 2, troubles: [] },
      });
      expect((await runCommand(addStatusCommand, env, 'status')).printed).toContain(
        'deliveries: 2 of 2 targets have the newest snapshot that is due there',
      );
      expect(
        cellsOf((await deliver('list', '--account', '1')).printed).map((cells) => cells.slice(4)),
      ).toEqual([
        ['delivered', 'newest delivery'],
        [latest.snapshot_id, `${latest.snapshot_id} delivered`],
        [latest.snapshot_id, `${latest.snapshot_id} delivered`],
      ]);
    },
    BUILDING_MS,
  );

  it('of no account but their own are tried or removed; what was delivered stays after a removal', async () => {
    for (const verb of ['test', 'remove']) {
      expect((await deliver(verb, '1', '--account', '2')).error).toMatchObject({
        code: 'not_found',
        message: 'Account 2 has no target 1.',
      });
    }
    const before = s3.bucket.objects.size;
    expect((await deliver('remove', '1', '--account', '1')).printed).toEqual([
      'target 1 removed; what was delivered there stays',
    ]);
    expect(s3.bucket.objects.size).toBe(before);
  });

  it('never show a secret, sealed or not', async () => {
    const owner = await database.client('cf_owner');
    const { rows } = await owner.query<{ text: string }>(
      `select d::text as text from ops.snapshot_deliveries d union all select o::text from ops.delivered_objects o
       union all select t::text from vault.delivery_targets t union all select j::text from ops.job j`,
    );
    seen.push(...rows.map(({ text }) => text));
    for (const { headers, body } of s3.asked) seen.push(JSON.stringify(headers), body.toString('latin1'));
    expect(seen.length).toBeGreaterThan(100);
    for (const secret of [SECRET, WRONG, env['SECRET_KEYS'] ?? 'none']) {
      expect(seen.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
});
