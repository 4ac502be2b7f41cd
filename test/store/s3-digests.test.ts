/** What is stored need not be read back where the bucket computes a SHA-256 itself, which its self-test must have shown. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { digest } from '../../src/snapshot/format/digest.ts';
import { contentOfBytes, upload, uploadBlocked } from '../../src/snapshot/spool/upload.ts';
import { testStore } from '../../src/store/self-test.ts';
import type { Store } from '../../src/store/store.ts';
import type { DigestQuirk } from '../support/s3-objects.ts';
import { type ScriptedS3, startScriptedS3 } from '../support/scripted-s3.ts';
import { AT_ONCE, openScripted } from './bucket-harness.ts';

const TOOLS = { clock: AT_ONCE, randomUuid: randomUUID };
const BYTES = Buffer.from('audited bytes');

let s3: ScriptedS3;
beforeAll(async () => {
  s3 = await startScriptedS3();
});
afterEach(() => {
  s3.bucket.quirks.clear();
  s3.script(() => null);
});
afterAll(() => s3[Symbol.asyncDispose]());

async function tested(options: Parameters<typeof openScripted>[1] = {}): Promise<Store> {
  const store = openScripted(s3, options);
  await testStore(store, TOOLS);
  return store;
}

/** The same without the other checks of the self-test, which take long. */
async function asked(): Promise<Store> {
  const store = openScripted(s3);
  await store.computesDigests?.(`v1/probe/${randomUUID()}`, `v1/probe/${randomUUID()}`);
  return store;
}

/** The methods that an upload asks of the bucket, in their order. */
async function askedBy(store: Store, send: typeof put = put): Promise<readonly string[]> {
  const before = s3.asked.length;
  await send(store);
  return s3.asked.slice(before).map(({ method }) => method);
}

const put = (store: Store): Promise<void> =>
  upload(store, AT_ONCE, `v1/probe/${randomUUID()}`, contentOfBytes(BYTES));

test('a bucket that computes digests is asked once for each object', async () => {
  const store = await asked();
  expect(await askedBy(store)).toEqual(['PUT']);
  const { blocks } = await digest(contentOfBytes(BYTES).open());
  const table = { ...contentOfBytes(BYTES), blocks };
  expect(await askedBy(store, (of) => uploadBlocked(of, AT_ONCE, `v1/probe/${randomUUID()}`, table))).toEqual(
    ['PUT'],
  );
});

test('the self-test shows that a bucket computes digests, and leaves no object', async () => {
  s3.bucket.objects.clear();
  const store = await tested();
  expect([...s3.bucket.objects.keys()]).toEqual([]);
  expect(await askedBy(store)).toEqual(['PUT']);
});

test('an object of a bucket that computes digests is read back before the self-test', async () => {
  expect(await askedBy(openScripted(s3))).toEqual(['PUT', 'GET']);
});

const PROVE_NOTHING: readonly DigestQuirk[] = [
  'keeps any digest that it is sent',
  'states a digest when asked later alone',
  'states a digest at once alone',
  'does not know the header',
];

test.each(PROVE_NOTHING)('a bucket that %s shows nothing, and is read back', async (quirk) => {
  s3.bucket.quirks.add(quirk);
  expect(await askedBy(await asked())).toEqual(['PUT', 'GET']);
});

test('a bucket without digests fails the self-test, but passes with signed checksums, and is read back', async () => {
  s3.bucket.quirks.add('refuses each digest with a 501');
  await expect(tested()).rejects.toMatchObject({ code: 'store_self_test_failed' });
  expect(await askedBy(await tested({ checksums: 'signed' }))).toEqual(['PUT', 'GET']);
});

test('a bucket that states another digest than that of the content is read back', async () => {
  const store = await asked();
  const told = { ...store, create: statingAnotherDigest(store) };
  expect(await askedBy(told)).toEqual(['PUT', 'GET']);
});

function statingAnotherDigest(store: Store): Store['create'] {
  return (key, body, onDigest) => store.create(key, body, () => onDigest?.('0'.repeat(64)));
}

test('an object whose first answer was lost is read back', async () => {
  const store = await asked();
  s3.next('PUT', { reset: 'after' });
  expect(await askedBy(store)).toEqual(['PUT', 'PUT', 'GET']);
});

test('an object of another build, with other bytes, is found although the bucket computes digests', async () => {
  const store = await asked();
  const key = `v1/probe/${randomUUID()}`;
  await store.create(key, Buffer.from('other bytes'));
  await expect(upload(store, AT_ONCE, key, contentOfBytes(BYTES))).rejects.toMatchObject({
    code: 'upload_differs',
  });
});
