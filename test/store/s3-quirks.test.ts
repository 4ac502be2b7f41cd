/** Work-alikes that break a promise of S3, as some did: the self-test refuses each by the check that it fails. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { testStore } from '../../src/store/self-test.ts';
import type { Quirk } from '../support/s3-objects.ts';
import { type ScriptedS3, startScriptedS3 } from '../support/scripted-s3.ts';
import { AT_ONCE, openScripted } from './bucket-harness.ts';

const TOOLS = { clock: AT_ONCE, randomUuid: randomUUID };
const FAILS: Readonly<Record<Quirk, string>> = {
  'checks the condition, then writes': 'of 32 parallel creates exactly one wins and is what is read',
  'ignores conditions': 'a second create loses and changes nothing',
  'ignores digests': 'bytes that differ from their checksum are refused',
  'ignores ranges': 'a range is read as asked',
  'keeps what is deleted': 'a deleted key is absent',
  'lists nothing': 'a fresh key is listed',
};

let s3: ScriptedS3;
beforeAll(async () => {
  s3 = await startScriptedS3();
});
afterEach(() => {
  s3.bucket.quirks.clear();
  s3.script(() => null);
});
afterAll(() => s3[Symbol.asyncDispose]());

test('a bucket that keeps its promises passes, and keeps no probe', async () => {
  s3.bucket.objects.clear();
  await testStore(openScripted(s3), TOOLS);
  expect([...s3.bucket.objects.keys()]).toEqual([]);
});

test.each(Object.entries(FAILS))('a bucket that %s fails: %s', async (quirk, check) => {
  s3.bucket.quirks.add(quirk as Quirk); // the keys of a record of quirks
  await expect(testStore(openScripted(s3), TOOLS)).rejects.toMatchObject({
    code: 'store_self_test_failed',
    data: { check },
  });
});

test('a store that answers every eighth lost race with a 500, as Ceph does, passes', async () => {
  let lost = 0;
  s3.script(({ method, key }) => {
    const taken = method === 'PUT' && s3.bucket.objects.has(key);
    return taken && (lost += 1) % 8 === 0 ? { answer: 500, code: 'InternalError' } : null;
  });
  await expect(testStore(openScripted(s3), TOOLS)).resolves.toBeUndefined();
  expect(lost).toBeGreaterThan(32);
});
