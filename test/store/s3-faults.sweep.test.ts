/** What a bucket store makes of every fault a bucket or the way to it can have. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isCrossfootError } from '../../src/errors.ts';
import { untilAnswered } from '../../src/store/retry.ts';
import type { Store } from '../../src/store/store.ts';
import type { Fault } from '../support/s3-faults.ts';
import { type ScriptedS3, startScriptedS3 } from '../support/scripted-s3.ts';
import { AT_ONCE, openScripted } from './bucket-harness.ts';
import { contentOf, listAll, readAll } from './contract.ts';

const key = 'v1/a/7/log/0000000001.json';
const bytes = Buffer.from('0123456789');
const UNKNOWN = { code: 'store_outcome_unknown' };
const REFUSED = { code: 'store_unavailable' };

let s3: ScriptedS3;
let store: Store;
beforeAll(async () => {
  s3 = await startScriptedS3();
});
beforeEach(() => {
  store = openScripted(s3);
});
afterEach(() => s3.script(() => null));
afterAll(() => s3[Symbol.asyncDispose]());

/** How many requests of that method were met while `act` ran. */
async function count(method: string, act: () => Promise<unknown>): Promise<number> {
  const before = s3.asked.length;
  await act().catch(() => undefined);
  return s3.asked.slice(before).filter((request) => request.method === method).length;
}

describe('a create that gets no answer', () => {
  const lost: readonly (readonly [string, Fault])[] = [
    ['a reset before it was applied', { reset: 'before' }],
    ['a reset after it was applied', { reset: 'after' }],
    ['a 500', { answer: 500, code: 'InternalError' }],
    ['a 500 though it was applied', { appliedButAnswers: 500, code: 'InternalError' }],
    ['a 503', { answer: 503, code: 'SlowDown' }],
    ['a 429', { answer: 429, code: 'TooManyRequests' }],
    ['a 409', { answer: 409, code: 'ConditionalRequestConflict' }],
    ['half its body lost', { answer: 400, code: 'IncompleteBody' }],
  ];

  test.each(lost)(
    '%s: has an unknown outcome, is sent once, and a second create settles it (F-21)',
    async (_, fault) => {
      s3.next('PUT', fault);
      expect(await count('PUT', () => expect(store.create(key, bytes)).rejects.toMatchObject(UNKNOWN))).toBe(
        1,
      );
      s3.next('PUT', fault);
      const again = openScripted(s3);
      await untilAnswered(AT_ONCE, () => again.create(key, contentOf(bytes)));
      expect(await again.readSmall(key, 100)).toEqual(new Uint8Array(bytes));
    },
  );

  test('a bucket that says nothing: is not known after the time that was set', async () => {
    s3.next('PUT', { silent: true });
    await expect(openScripted(s3, { idle_ms: 100 }).create(key, bytes)).rejects.toMatchObject(UNKNOWN);
  });

  test('a source that cannot be read: is refused, with the reason, and not tried again', async () => {
    const broken = Object.assign(new Error('disk'), { code: 'EIO' });
    async function* open(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 5);
      throw broken;
    }
    const content = { ...contentOf(bytes), open };
    await expect(store.create(key, content)).rejects.toMatchObject({ ...REFUSED, data: { code: 'EIO' } });
    expect(await store.stat(key)).toBeNull();
  });

  test('with no server at the address is an unknown outcome', async () => {
    const nowhere = openScripted(s3, { endpoint: 'http://127.0.0.1:1' });
    await expect(nowhere.create(key, bytes)).rejects.toMatchObject(UNKNOWN);
  });
});

describe('a create that is answered', () => {
  test('412: says that an object is there (F-22)', async () => {
    s3.next('PUT', { answer: 412, code: 'PreconditionFailed' });
    expect(await store.create(key, bytes)).toBe('exists');
  });

  test('400 BadDigest: is sent three times, whole each time, and then refused (F-22)', async () => {
    const damaged = { answer: 400, code: 'BadDigest' };
    s3.next('PUT', damaged, damaged);
    expect(await count('PUT', () => store.create(key, contentOf(bytes)))).toBe(3);
    expect(await store.readSmall(key, 100)).toEqual(new Uint8Array(bytes));
    s3.next('PUT', damaged, damaged, damaged, damaged);
    const refused = { code: 'store_checksum_mismatch' };
    expect(
      await count('PUT', () => expect(store.create(`${key}x`, bytes)).rejects.toMatchObject(refused)),
    ).toBe(3);
  });

  test.each([
    [403, 'AccessDenied', /list the bucket/],
    [404, 'NoSuchBucket', /Make the bucket/],
    [403, 'SignatureDoesNotMatch', /Renew the credentials/],
    [501, 'NotImplemented', /S3_CHECKSUMS=signed/],
    [301, 'PermanentRedirect', /AWS_REGION/],
  ])('%i %s: is refused at once, saying what to do', async (answer, code, hint) => {
    const fault = { answer, code };
    s3.script(() => fault);
    const wanted = { ...REFUSED, hint: expect.stringMatching(hint), data: { said: `${answer} ${code}` } };
    expect(await count('PUT', () => expect(store.create(key, bytes)).rejects.toMatchObject(wanted))).toBe(1);
    await expect(listAll(store, 'v1/a/')).rejects.toMatchObject(REFUSED);
    await expect(store.readSmall(key, 100)).rejects.toMatchObject(REFUSED);
  });
});

describe('credentials', () => {
  test.each(['ExpiredToken', 'RequestTimeTooSkewed'])('%s: are renewed once (F-27)', async (code) => {
    let renewed = 0;
    const credentials = async () => ({ accessKeyId: `key${(renewed += 1)}`, secretAccessKey: 'secret' });
    const fresh = openScripted(s3, { credentials });
    const expired = { answer: code === 'ExpiredToken' ? 400 : 403, code };
    s3.next('PUT', expired);
    expect(await fresh.create(key, contentOf(bytes))).toBe('created');
    expect(s3.asked.findLast(({ method }) => method === 'PUT')?.headers.authorization).toContain('key2/');
    s3.script(() => expired);
    expect(
      await count('PUT', () => expect(fresh.create(`${key}x`, bytes)).rejects.toMatchObject(REFUSED)),
    ).toBe(2);
  });

  test('the time of the signature is taken from the store that found it wrong', async () => {
    const hour_ahead = new Date(Date.now() + 3_600_000);
    const date = { date: hour_ahead.toUTCString() };
    s3.next('PUT', { answer: 403, code: 'RequestTimeTooSkewed', headers: date });
    await store.create(key, bytes);
    const signed = String(s3.asked.findLast(({ method }) => method === 'PUT')?.headers['x-amz-date']);
    // To the hour, because some seconds have passed since.
    expect(signed.slice(0, 10)).toBe(hour_ahead.toISOString().replaceAll('-', '').slice(0, 10));
  });

  test('A-29: do not go along to another host (F-28)', async () => {
    const strayed: string[] = [];
    const other = createServer((request, response) => {
      strayed.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo; // it listens on a port, not on a pipe
    const fault = {
      answer: 307,
      code: 'TemporaryRedirect',
      headers: { location: `http://127.0.0.1:${port}/`, 'x-amz-bucket-region': 'us-west-2' },
    };
    s3.script(() => fault);
    await expect(store.create(key, bytes)).rejects.toMatchObject(REFUSED);
    await expect(store.readSmall(key, 100)).rejects.toMatchObject(REFUSED);
    await expect(store.stat(key)).rejects.toMatchObject(REFUSED);
    await expect(listAll(store, 'v1/a/')).rejects.toMatchObject(REFUSED);
    await expect(store.delete(key)).rejects.toMatchObject(REFUSED);
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    expect(strayed).toEqual([]);
  });
});

describe('a read', () => {
  beforeEach(() => store.create(key, bytes));
  const broken: readonly (readonly [string, Fault])[] = [
    ['cut before its first byte', { cutAfter: 0 }],
    ['cut after its first byte', { cutAfter: 1 }],
    ['cut before its last byte', { cutAfter: 9 }],
    ['of a length that is announced too large', { announcesMore: 3 }],
    ['of an announced length that is missing and a body too long', { longerBy: 3 }],
    ['that is reset', { reset: 'before' }],
    ['that is refused for a moment', { answer: 503, code: 'SlowDown' }],
  ];

  test.each(broken)('%s: is taken up again (F-23)', async (_, fault) => {
    s3.next('GET', fault);
    expect(await store.readSmall(key, 100)).toEqual(new Uint8Array(bytes));
    s3.next('GET', fault);
    expect(String(await readAll(store.readRange(key, 1, 8)))).toBe('12345678');
  });

  test.each(broken.filter(([, fault]) => !('cutAfter' in fault) || fault.cutAfter === 0))(
    '%s every time: is given up as not answered, and never ends as if it were whole',
    async (_, fault) => {
      s3.script(({ method }) => (method === 'GET' ? fault : null));
      await expect(store.readSmall(key, 100)).rejects.toMatchObject(UNKNOWN);
      // A range may have come whole before its end was spoiled: then it is whole.
      const read = await readAll(store.readRange(key, 1, 8)).then(String, (error: unknown) =>
        isCrossfootError(error) ? error.code : error,
      );
      expect(['12345678', UNKNOWN.code]).toContain(read);
    },
  );

  test('of a range goes on where it broke, however often, while each answer brings bytes', async () => {
    // Four breaks, one more than are borne without a byte: 2 + 1 + 3 + 1 bytes, and the fifth answer the last 3.
    const breaks = [2, 1, 3, 1];
    s3.next('GET', ...breaks.map((cutAfter) => ({ cutAfter })));
    const before = s3.asked.length;
    expect(String(await readAll(store.readRange(key, 0, 10)))).toBe('0123456789');
    expect(s3.asked.slice(before).map(({ headers }) => headers['range'])).toEqual([
      'bytes=0-9',
      'bytes=2-9',
      'bytes=3-9',
      'bytes=6-9',
      'bytes=7-9',
    ]);
  });

  test('of another range than was asked is not taken for it', async () => {
    s3.bucket.quirks.add('ignores ranges');
    await expect(readAll(store.readRange(key, 2, 3))).rejects.toMatchObject(UNKNOWN);
    s3.bucket.quirks.clear();
  });

  test('that its caller leaves early frees the connection', async () => {
    const large = Buffer.alloc(3_000_000, 'x');
    await store.create(`${key}x`, large);
    for await (const piece of store.readRange(`${key}x`, 0, large.length)) {
      expect(piece.length).toBeLessThan(large.length);
      break;
    }
    expect(await store.readSmall(key, 100)).toHaveLength(10);
  });
});

describe('a store where three requests in ten fail', () => {
  test('creates, reads, lists and deletes all the same (F-20)', async () => {
    let seed = 20_260_715;
    const chance = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const faults: readonly Fault[] = [
      { answer: 500, code: 'InternalError' },
      { answer: 503, code: 'SlowDown' },
      { reset: 'after' },
    ];
    s3.script(({ method }) =>
      method === 'PUT' && chance() < 0.3 ? (faults[Math.floor(chance() * 3)] ?? null) : null,
    );
    const keys = Array.from({ length: 100 }, (_, number) => `v1/a/7/s/${1000 + number}`);
    for (const one of keys) {
      await untilAnswered(AT_ONCE, () => store.create(one, contentOf(Buffer.from(one))));
      expect(String(await readAll(store.readRange(one, 0, one.length)))).toBe(one);
    }
    expect(await listAll(store, 'v1/a/7/s/')).toEqual(keys);
  });
});
