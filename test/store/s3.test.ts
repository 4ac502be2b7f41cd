import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { BUCKET, type ScriptedS3, startScriptedS3 } from '../support/scripted-s3.ts';
import { openScripted } from './bucket-harness.ts';
import { contentOf, holdsTheContract, listAll, readAll } from './contract.ts';

let s3: ScriptedS3;
beforeAll(async () => {
  s3 = await startScriptedS3();
});
afterAll(() => s3[Symbol.asyncDispose]());

const key = 'v1/a/7/s/x/costs.parquet';
/** The last object sent. */
const sent = () => s3.asked.findLast(({ method }) => method === 'PUT');

describe('the store in a bucket', () => {
  holdsTheContract(async () => openScripted(s3));
});

describe('the store in a bucket that lists two keys at a time', () => {
  beforeAll(() => {
    s3.bucket.pageKeys = 2;
  });
  afterAll(() => {
    s3.bucket.pageKeys = 1_000;
  });
  holdsTheContract(async () => openScripted(s3));
});

describe('the request that creates an object', () => {
  let store: Store;
  beforeEach(() => {
    store = openScripted(s3, { location: new URL(`s3://${BUCKET}/above/here/`) });
    s3.bucket.objects.clear();
  });

  test.each([
    ['bytes', Buffer.from('abc')],
    ['content', contentOf(Buffer.from('abc'))],
  ])('is one PUT of %s below the prefix, with its condition, length and digests', async (_, body) => {
    await store.create('v1/x', body);
    // The SHA-256 of "abc", as FIPS 180 works it out.
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(sent()).toMatchObject({
      bucket: BUCKET,
      key: 'above/here/v1/x',
      headers: {
        'if-none-match': '*',
        'content-length': '3',
        'x-amz-content-sha256': digest,
        'x-amz-checksum-sha256': Buffer.from(digest, 'hex').toString('base64'),
      },
    });
    expect(sent()?.headers).not.toHaveProperty('content-encoding');
    expect(sent()?.headers).not.toHaveProperty('x-amz-server-side-encryption');
  });

  test('names the digest in the signature alone where the header is unwanted', async () => {
    const signing = openScripted(s3, { checksums: 'signed' });
    await signing.create('v1/x', Buffer.from('abc'));
    expect(Object.keys(sent()?.headers ?? {}).filter((name) => /checksum/.test(name))).toEqual([]);
    const other = { ...contentOf(Buffer.from('abc')), sha256: '0'.repeat(64) };
    await expect(signing.create('v1/y', other)).rejects.toMatchObject({ code: 'store_checksum_mismatch' });
  });

  const KEY_ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1';
  test.each([
    ['AES256', { 'x-amz-server-side-encryption': 'AES256' }],
    ['aws:kms', { 'x-amz-server-side-encryption': 'aws:kms' }],
    [
      KEY_ARN,
      { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-aws-kms-key-id': KEY_ARN },
    ],
  ])('asks for the encryption %s', async (encryption, headers) => {
    await openScripted(s3, { encryption }).create('v1/x', Buffer.from('x'));
    expect(sent()?.headers).toMatchObject(headers);
  });

  test('ends with the announced length, even if the source gives more', async () => {
    const content = { ...contentOf(Buffer.from('abc')), size: 2 };
    await expect(store.create('v1/x', content)).rejects.toMatchObject({ code: 'store_checksum_mismatch' });
    expect(await store.stat('v1/x')).toBeNull();
  });
});

describe('an object too large for one request', () => {
  const PART = 5 * 1024 ** 2;
  const bytes = Buffer.alloc(2 * PART + 7, 'abcdefg');
  const inParts = () => openScripted(s3, { single_put_bytes: PART, part_bytes: PART });

  test('is stored in parts, once, on a condition at their completion', async () => {
    const store = inParts();
    expect(await store.create(key, contentOf(bytes))).toBe('created');
    // Ten megabytes are compared at once: element by element takes twenty seconds.
    expect((await readAll(store.readRange(key, 0, bytes.length))).equals(bytes)).toBe(true);
    expect(s3.asked.findLast(({ method }) => method === 'POST')?.headers['if-none-match']).toBe('*');
    expect(await store.create(key, contentOf(Buffer.alloc(bytes.length)))).toBe('exists');
    expect(await readAll(store.readRange(key, 0, 7))).toEqual(bytes.subarray(0, 7));
    expect(s3.bucket.uploads.size).toBe(0);
  });

  test('is refused, leaving no part, when its digest is not that of its bytes', async () => {
    const store = inParts();
    const content = { ...contentOf(bytes), sha256: '0'.repeat(64) };
    await expect(store.create(key, content)).rejects.toMatchObject({ code: 'store_checksum_mismatch' });
    expect([await store.stat(key), s3.bucket.uploads.size]).toEqual([null, 0]);
  });

  test('is not stored when the 200 of its completion holds an error', async () => {
    const store = inParts();
    s3.script(({ method, query }) =>
      method === 'POST' && query.has('uploadId') ? { answer: 200, code: 'InternalError' } : null,
    );
    await expect(store.create(key, contentOf(bytes))).rejects.toMatchObject({
      code: 'store_outcome_unknown',
    });
    s3.script(() => null);
  });
});

describe('listings', () => {
  test('may be older than the objects, which are found all the same (F-25)', async () => {
    const store = openScripted(s3, { location: new URL(`s3://${BUCKET}/stale`) });
    for (const name of ['1', '2', '3']) await store.create(`v1/a/${name}`, Buffer.from(name));
    s3.bucket.hidden.add('stale/v1/a/2');
    expect(await listAll(store, 'v1/a/')).toEqual(['v1/a/1', 'v1/a/3']);
    expect(await store.readSmall('v1/a/2', 9)).toHaveLength(1);
  });

  test('end when the bucket forgets to say where to go on', async () => {
    const store = openScripted(s3);
    const page = '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>';
    s3.next('GET', { otherBytes: Buffer.from(page) });
    await expect(listAll(store, 'v1/a/')).rejects.toMatchObject({ code: 'store_outcome_unknown' });
  });
});

test('the time of an object is that of the storage', async () => {
  const store = openScripted(s3, { location: new URL(`s3://${BUCKET}/dated`) });
  const modified = new Date('2026-07-15T02:00:05Z');
  s3.bucket.objects.set('dated/v1/x', { body: Buffer.from('x'), modified, headers: {} });
  // 2026-07-15T02:00:05Z is 1784080805 s after 1970: 20,649 days of 86,400 s and 7,205 s.
  expect(await store.stat('v1/x')).toEqual({ size: 1, created_at: 1_784_080_805_000_000n });
});
