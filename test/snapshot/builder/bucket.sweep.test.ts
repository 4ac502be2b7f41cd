/** Publishing into a bucket over real HTTP: the same snapshot as in a folder, and none of its faults is ever seen. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import { openScripted } from '../../store/bucket-harness.ts';
import type { Fault } from '../../support/s3-faults.ts';
import type { S3Request } from '../../support/s3-objects.ts';
import { type ScriptedS3, startScriptedS3 } from '../../support/scripted-s3.ts';
import { aBuild, MIDNIGHT, publishNow, SECOND, servedWhole } from './build-harness.ts';
import { type BuildHarness, openBuildHarness } from './real-build.ts';
import { unlikeInFolder } from './same-as-in-folder.ts';

let s3: ScriptedS3;
beforeAll(async () => {
  s3 = await startScriptedS3();
});
afterEach(() => s3.script(() => null));
afterAll(() => s3[Symbol.asyncDispose]());

const old = aBuild('old', MIDNIGHT - 20n * SECOND);
const next = aBuild('next', MIDNIGHT - 10n * SECOND);

interface Run {
  readonly outcome: string;
  readonly served: string | null;
  readonly again: string;
}

/** Publishes `next` over `old`, each request of that method meeting the fault in turn; one run a request. */
async function spoilEach(method: string, fault: (request: S3Request) => Fault): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (let number = 1; ; number += 1) {
    s3.script(() => null);
    const store = openScripted(s3);
    await publishNow(store, old);
    let met = 0;
    s3.script((request) => (request.method === method && (met += 1) === number ? fault(request) : null));
    const outcome = await publishing(store);
    if (met < number) return runs;
    const served = (await servedWhole(store, ['old', 'next'])) ?? 'none';
    runs.push({ outcome, served, again: await publishing(store) });
  }
}

async function publishing(store: Store): Promise<string> {
  return publishNow(store, next).then(
    (result) => result.outcome,
    (error: unknown) => (isCrossfootError(error) ? error.code : String(error)),
  );
}

// Two tables with their blocks, the report, the manifest and the log entry.
const PUTS = 7;

describe.each<readonly [string, Fault]>([
  ['a lost reply', { reset: 'after' }],
  ['a 409', { answer: 409, code: 'ConditionalRequestConflict' }],
  ['a body damaged on the way', { answer: 400, code: 'BadDigest' }],
])('a bucket with %s', (_, fault) => {
  test('gets the snapshot once, whole, wherever a PUT meets the fault', async () => {
    const runs = await spoilEach('PUT', () => fault);
    const published = { outcome: 'published', served: 'next', again: 'published' };
    expect(runs).toEqual(Array.from({ length: PUTS }, () => published));
  });
});

test('credentials that are refused at any PUT leave the last snapshot served, and the next try publishes', async () => {
  const runs = await spoilEach('PUT', () => ({ answer: 403, code: 'AccessDenied' }));
  const refused = { outcome: 'store_unavailable', served: 'old', again: 'published' };
  expect(runs).toEqual(Array.from({ length: PUTS }, () => refused));
});

test('other bytes than were stored, from any GET, are never published as ours', async () => {
  const runs = await spoilEach('GET', ({ key }) => ({
    otherBytes: Buffer.alloc(s3.bucket.objects.get(key)?.body.length ?? 1, '?'),
  }));
  expect(runs.length).toBeGreaterThan(PUTS);
  for (const { outcome, served, again } of runs) {
    expect([outcome, served]).toEqual(outcome === 'published' ? [outcome, 'next'] : [outcome, 'old']);
    expect(again).toBe('published');
  }
  expect(runs.map(({ outcome }) => outcome)).toContain('upload_differs');
});

test('a listing that lacks the newest entries changes nothing', async () => {
  const store = openScripted(s3);
  await publishNow(store, old);
  for (const key of s3.bucket.objects.keys()) s3.bucket.hidden.add(key);
  expect(await servedWhole(store, ['old', 'next'])).toBe('old');
  expect(await publishNow(store, next)).toEqual({ outcome: 'published', seq: 2 });
});

describe('the fixture company', () => {
  let harness: BuildHarness;
  beforeAll(async () => {
    harness = await openBuildHarness();
  });
  afterAll(() => harness.close());

  test('has the same files from a bucket as from a folder', async () => {
    expect(await unlikeInFolder(harness, openScripted(s3))).toEqual([]);
  });
});
