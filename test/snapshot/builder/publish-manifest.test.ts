/** What publishing writes beside the audited bytes: the manifest, and the log entry that names it. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { publish } from '../../../src/snapshot/builder/publish.ts';
import { emptyLog } from '../../../src/snapshot/format/publish-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { aBuild, ACCOUNT, MIDNIGHT, clockAt, publishNow, SECOND } from './build-harness.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const build = aBuild('one', MIDNIGHT);
const PREFIX = `v1/a/7/s/20260301T000000Z-${build.nonce}`;

const read = (objects: ReadonlyMap<string, Uint8Array>, key: string): Uint8Array =>
  objects.get(key) ?? new Uint8Array();

test('the manifest states the build: its moment, its bounds, and size and digests of each file', async () => {
  const objects = new Map<string, Uint8Array>();
  await publishNow(memoryStore(objects), build);
  // Each file is one block, so the digest of its blocks is that of the digest of its bytes.
  const table = (name: string) => {
    const bytes = Buffer.from(`${name} of one`);
    const block = createHash('sha256').update(bytes).digest();
    return {
      name,
      row_count: 1,
      size_bytes: bytes.length,
      sha256: sha256(bytes),
      blocks_sha256: sha256(block),
    };
  };
  expect(JSON.parse(Buffer.from(read(objects, `${PREFIX}/manifest.json`)).toString())).toEqual({
    snapshot_id: '20260301T000000Z',
    schema_version: 'v1',
    generated_at: '2026-03-01T00:00:00.000000Z',
    changes_from: '2026-02-28T23:59:59.000000Z', // a second before
    account_id: 7,
    left_out: { cost: [], value: [] },
    pg_snapshot: '10:12:10,11',
    nonce: build.nonce,
    block_bytes: 1_048_576,
    tables: [table('snapshot'), table('costs')],
    files: [{ name: 'audit.json', size_bytes: 12, sha256: sha256(Buffer.from('audit of one')) }],
    versions: { writer: 'crossfoot 0', audit_engine: 'duckdb 1', postgres: '18' },
  });
});

test('the log entry names the manifest, the night and who published it when', async () => {
  const objects = new Map<string, Uint8Array>();
  await publishNow(memoryStore(objects), { ...build, night: '2026-02-28', builder: 'host 12' });
  expect(JSON.parse(Buffer.from(read(objects, 'v1/a/7/log/0000000001.json')).toString())).toEqual({
    seq: 1,
    snapshot_id: '20260301T000000Z',
    prefix: PREFIX,
    manifest_sha256: sha256(read(objects, `${PREFIX}/manifest.json`)),
    prev_sha256: '0'.repeat(64),
    nonce: build.nonce,
    night: '2026-02-28',
    published_at: '2026-03-01T00:01:00.000000Z', // a minute after the moment
    builder: 'host 12',
  });
});

describe('a manifest that is stored otherwise than it was written', () => {
  const refused = {
    code: 'publish_aborted',
    message:
      'publish: the manifest of this build is missing, or another process wrote it; nothing was published.',
    hint: 'Prune writes a tombstone in place of the manifest of a build that looks abandoned. Build again.',
    data: { key: `${PREFIX}/manifest.json` },
  };
  const others: Record<string, Uint8Array | null> = {
    'is a fence': Buffer.from('{"aborted":true}'),
    'is gone': null,
    'is empty': new Uint8Array(),
  };

  test.each(Object.entries(others))('%s: no log entry names it', async (_, found) => {
    const objects = new Map<string, Uint8Array>();
    const inner = memoryStore(objects);
    const readSmall: Store['readSmall'] = (key, cap) =>
      key.endsWith('/manifest.json') ? Promise.resolve(found) : inner.readSmall(key, cap);
    await expect(publishNow({ ...inner, readSmall }, build)).rejects.toMatchObject(refused);
    expect([...objects.keys()].filter((key) => key.includes('/log/'))).toEqual([]);
  });
});

test('a log that is known to be broken ends the publishing before anything is sent', async () => {
  const objects = new Map<string, Uint8Array>();
  const fault = new CrossfootError('publish_log_broken', 'entry 1 is missing');
  const tools = { store: memoryStore(objects), clock: clockAt(MIDNIGHT + SECOND) };
  await expect(publish(build, { ...emptyLog(ACCOUNT), fault }, tools)).rejects.toBe(fault);
  expect(objects.size).toBe(0);
});

test('each call that is not answered is made again: an object, its reading, the manifest and its reading', async () => {
  const once = new Set<string>();
  const inner = memoryStore();
  const lost = async <Answer>(call: string, make: () => Promise<Answer>): Promise<Answer> => {
    if (!once.has(call)) {
      once.add(call);
      throw new CrossfootError('store_outcome_unknown', 'no answer');
    }
    return await make();
  };
  const store: Store = {
    ...inner,
    create: (key, body) => lost(`create ${key}`, () => inner.create(key, body)),
    readSmall: (key, cap) => lost(`read ${key}`, () => inner.readSmall(key, cap)),
    stat: (key) => lost(`stat ${key}`, () => inner.stat(key)),
  };
  const tools = { store, clock: clockAt(MIDNIGHT) };
  expect(await publish(build, emptyLog(ACCOUNT), tools)).toEqual({ outcome: 'published', seq: 1 });
  // Five objects, created and measured; the manifest, created and read; and the entry.
  expect(once.size).toBe(5 * 2 + 2 + 1);
});
