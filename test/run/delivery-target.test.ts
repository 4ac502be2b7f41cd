/** Which targets a worker opens, with which credentials, and what it reaches by them. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings, type Settings } from '../../src/config.ts';
import type { DeliveryTarget } from '../../src/deliveries/targets.ts';
import { isCrossfootError } from '../../src/errors.ts';
import { boundTo, openDeliveryTarget, requireTarget, sealKey } from '../../src/run/delivery-target.ts';
import { BUCKET, type ScriptedS3, startScriptedS3 } from '../support/scripted-s3.ts';

const [KEY, OTHER] = ['0'.repeat(32), '1'.repeat(32)];
const SECRET = 'a-secret-that-nobody-sees';
const ACCESS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: SECRET };

let folder: string;
let s3: ScriptedS3;
beforeAll(async () => {
  [folder, s3] = await Promise.all([mkdtemp(join(tmpdir(), 'crossfoot-target-')), startScriptedS3()]);
});
afterAll(async () => {
  await s3[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const settingsOf = (env: Readonly<Record<string, string>> = {}): Settings =>
  readSettings({ DATA_DIR: join(folder, 'data'), SECRET_KEYS: KEY, ...env });
const target = (of: Partial<DeliveryTarget>): DeliveryTarget => ({
  address: 's3://theirs/figures',
  endpoint: null,
  region: null,
  sealed: null,
  ...of,
});
const refusalOf = async (of: Partial<DeliveryTarget>, env: Readonly<Record<string, string>> = {}) =>
  await requireTarget(settingsOf(env), target(of)).then(
    () => null,
    (error: unknown) => (isCrossfootError(error, 'delivery_refused') ? error.message : error),
  );
const addressOf = (path: string) => ({ address: pathToFileURL(path).href });
const because = (why: string): string => `Snapshots cannot be delivered there: ${why}.`;
const sealedFor = async (
  of: Partial<DeliveryTarget>,
  env: Readonly<Record<string, string>> = {},
): Promise<DeliveryTarget> => {
  const plain = target(of);
  return { ...plain, sealed: await sealKey(settingsOf(env), ACCESS, boundTo(4n, plain)) };
};

describe('a target', () => {
  it.each([
    ['s3://ours/prod', 'equal to'],
    ['s3://ours/prod/theirs', 'inside'],
    ['s3://ours', 'around'],
  ])('%s is refused beside OBJECT_STORE s3://ours/prod, with any endpoint', async (address, overlap) => {
    const env = { OBJECT_STORE: 's3://ours/prod' };
    for (const endpoint of [null, 'https://store.example']) {
      expect(await refusalOf({ address, endpoint, sealed: 'x' }, env)).toBe(
        because(`it is ${overlap} the OBJECT_STORE`),
      );
    }
    expect(await refusalOf({ address: 's3://ours/other', sealed: 'x' }, env)).toBeNull();
  });

  it('is refused if its endpoint names the bucket of OBJECT_STORE', async () => {
    const env = { OBJECT_STORE: 's3://ours/prod' };
    const endpoint = 'https://ours.s3.amazonaws.com';
    expect(await refusalOf({ address: 's3://prod', endpoint, sealed: 'x' }, env)).toBe(
      because('it is inside the OBJECT_STORE'),
    );
  });

  it('that is a folder is refused in, at and around OBJECT_STORE, also through a link', async () => {
    const objects = join(folder, 'data', 'objects');
    const link = join(folder, 'link');
    await symlink(folder, link);
    expect(await refusalOf(addressOf(objects))).toBe(because('it is equal to the OBJECT_STORE'));
    expect(await refusalOf(addressOf(join(objects, 'v1')))).toBe(because('it is inside the OBJECT_STORE'));
    expect(await refusalOf(addressOf(folder))).toBe(because('it is around the OBJECT_STORE'));
    expect(await refusalOf(addressOf(link))).toBe(because('it is around the OBJECT_STORE'));
    expect(await refusalOf(addressOf(join(link, 'data', 'objects')))).toBe(
      because('it is equal to the OBJECT_STORE'),
    );
    expect(await refusalOf(addressOf(join(folder, 'theirs')))).toBeNull();
  });

  it('uses the credentials of the settings only for a listed bucket, and never at an endpoint of its own', async () => {
    const unlisted = because('DELIVERY_BUCKETS does not list its bucket');
    expect(await refusalOf({})).toBe(unlisted);
    expect(await refusalOf({}, { DELIVERY_BUCKETS: 's3://theirs' })).toBeNull();
    expect(await refusalOf({}, { DELIVERY_BUCKETS: 's3://mine, s3://theirs/figures/' })).toBeNull();
    expect(await refusalOf({}, { DELIVERY_BUCKETS: 's3://theirs/figures/a' })).toBe(unlisted);
    expect(await refusalOf({}, { DELIVERY_BUCKETS: 's3://theirs/fig' })).toBe(unlisted);
    expect(await refusalOf({ endpoint: 'https://store.example' }, { DELIVERY_BUCKETS: 's3://theirs' })).toBe(
      because('it has an endpoint and no key'),
    );
  });

  it.each([
    ['http://store.example', 'it is not https'],
    ['http://127.0.0.1:9000', 'it is not https'],
    ['https://127.0.0.1', 'its address is private'],
    ['https://10.1.2.3', 'its address is private'],
    ['https://169.254.169.254', 'its address is private'],
    ['https://[::1]', 'its address is private'],
    ['https://[::ffff:10.0.0.1]', 'its address is private'],
    ['https://2130706433', 'its address is private'],
  ])('at %s is refused: %s', async (endpoint, why) => {
    expect(await refusalOf({ endpoint, sealed: 'x' })).toBe(
      because(`its endpoint is refused, because ${why}`),
    );
  });

  it('whose public name has a private address is not reached when it connects', async () => {
    const { port } = new URL(s3.endpoint);
    const asked = s3.asked.length;
    // TLS or not: the look-up comes first. `localhost` stands for a name that a customer lets resolve to this machine.
    const endpoint = `https://localhost:${port}`;
    const store = await openDeliveryTarget(settingsOf(), 4n, await sealedFor({ endpoint }));
    for (const call of [
      () => store.create('latest.json', Buffer.from('{}')),
      () => store.readSmall('latest.json', 100),
      () => store.replace('latest.json', Buffer.from('{}'), 'x'),
      () => store.delete('latest.json'),
    ]) {
      await expect(call()).rejects.toMatchObject({
        code: 'store_unavailable',
        message: expect.stringContaining('(address_refused)'),
      });
    }
    expect(s3.asked.length).toBe(asked);
  });

  it('in a network of DELIVERY_NETWORKS is reached, with its own key and no other', async () => {
    const env = { DELIVERY_NETWORKS: '127.0.0.0/8', AWS_ACCESS_KEY_ID: 'OPERATOR' };
    const at = { address: `s3://${BUCKET}/own`, endpoint: s3.endpoint };
    const store = await openDeliveryTarget(settingsOf(env), 4n, await sealedFor(at, env));
    expect(await store.create('latest.json', Buffer.from('{}'))).toBe('created');
    expect(s3.asked.at(-1)?.headers.authorization).toContain('Credential=AKIAEXAMPLE/');
    expect(s3.asked.at(-1)?.key).toBe('own/latest.json');
  });

  it('writes no key that is not of a delivery', async () => {
    const env = { DELIVERY_NETWORKS: '127.0.0.0/8' };
    const at = { address: `s3://${BUCKET}/keys`, endpoint: s3.endpoint };
    const store = await openDeliveryTarget(settingsOf(env), 4n, await sealedFor(at, env));
    const folders = await openDeliveryTarget(
      settingsOf(),
      4n,
      target({ address: pathToFileURL(join(folder, 'keys')).href }),
    );
    const keys = [
      'v1/a/1/log/0000000001.json',
      'snapshots/../latest.json',
      '../x',
      'latest.json/x',
      'snapshots/x/costs.parquet',
    ];
    for (const each of [store, folders]) {
      for (const key of keys) {
        await expect(each.create(key, Buffer.from('x'))).rejects.toMatchObject({ code: 'store_key_invalid' });
        await expect(each.delete(key)).rejects.toMatchObject({ code: 'store_key_invalid' });
      }
    }
  });
});

describe('a sealed key', () => {
  it('shows neither the secret nor its length', async () => {
    const sealed = await sealKey(settingsOf(), ACCESS, 'x');
    const longer = await sealKey(settingsOf(), { ...ACCESS, secretAccessKey: 'x'.repeat(200) }, 'x');
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(SECRET);
    expect(longer).toHaveLength(sealed.length);
    await expect(
      sealKey(settingsOf(), { ...ACCESS, secretAccessKey: 'x'.repeat(2_000) }, 'x'),
    ).rejects.toMatchObject({
      code: 'delivery_refused',
    });
  });

  it('opens with every one of the SECRET_KEYS, and with no other', async () => {
    const sealed = await sealedFor({});
    await openDeliveryTarget(settingsOf({ SECRET_KEYS: `${OTHER},${KEY}` }), 4n, sealed);
    await expect(openDeliveryTarget(settingsOf({ SECRET_KEYS: OTHER }), 4n, sealed)).rejects.toMatchObject({
      code: 'delivery_refused',
      message: because('its secret was sealed with another key than the SECRET_KEYS'),
    });
  });

  it('opens for no other account, address or endpoint', async () => {
    const sealed = await sealedFor({ endpoint: 'https://store.example' });
    const moved: readonly (readonly [bigint, Partial<DeliveryTarget>])[] = [
      [5n, {}],
      [4n, { address: 's3://mine/figures' }],
      [4n, { endpoint: 'https://mine.example' }],
      [4n, { endpoint: null }],
    ];
    for (const [account, change] of moved) {
      await expect(openDeliveryTarget(settingsOf(), account, { ...sealed, ...change })).rejects.toMatchObject(
        {
          message: because('its secret was sealed with another key than the SECRET_KEYS'),
        },
      );
    }
    await openDeliveryTarget(settingsOf(), 4n, sealed);
  });
});
