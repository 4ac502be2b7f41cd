/** What an entry of the publish log is, and what a person is told of any other object in its place. */
import { describe, expect, test } from 'vitest';
import { decodeCanonical, encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import {
  decodeEntry,
  emptyLog,
  encodeNextEntry,
  follow,
  type LogEntry,
  type PublishLog,
} from '../../../src/snapshot/format/publish-log.ts';
import { instantOf } from '../../support/instant-of.ts';

const NONCE = '0123456789abcdef0123456789abcdef';
const HEX_64 = NONCE + NONCE;

/** The first entry of account 7, each member as short or as long as it may be. */
const entry: LogEntry = {
  seq: 1,
  snapshot_id: '20260301T020000Z',
  prefix: `v1/a/7/s/20260301T020000Z-${NONCE}`,
  manifest_sha256: HEX_64,
  prev_sha256: '0'.repeat(64),
  nonce: NONCE,
  night: '2026-03-01',
  published_at: instantOf('2026-03-01T02:01:00.000000Z'),
  builder: 'b',
};

/** What a log without signatures knows of them. */
const UNSIGNED = { signing: null, signed: false, unknown_key: null };

/** The same as it is stored. */
const stored = { ...entry, published_at: '2026-03-01T02:01:00.000000Z' };

const decoded = (change: Readonly<Record<string, unknown>>): LogEntry | null =>
  decodeEntry(encodeCanonical({ ...stored, ...change }));

describe('an entry', () => {
  test('is read as it was written', () => {
    expect(decoded({})).toEqual(entry);
    expect(decoded({ builder: 'b'.repeat(200) })).toEqual({ ...entry, builder: 'b'.repeat(200) });
    expect(decoded({ seq: 2 })).toEqual({ ...entry, seq: 2 });
  });

  test('may have unknown fields of a later version, which are ignored', () => {
    expect(decoded({ signed_by: 'a later version' })).toEqual(entry);
  });

  test('names its night; of an older version it is read from `slot`', () => {
    const { night, ...rest } = stored;
    expect(decodeEntry(encodeCanonical({ ...rest, slot: night }))).toEqual(entry);
    expect(decodeEntry(encodeCanonical({ ...rest, slot: 'tonight' }))).toBeNull();
    expect(decoded({ slot: '2026-02-28' })).toEqual(entry);
    const { seq: _, prefix: _prefix, prev_sha256: _before, ...next } = entry;
    expect(decodeCanonical(encodeNextEntry(emptyLog(7n), next))).toEqual(stored);
  });

  test.each([
    ['seq', 0],
    ['seq', 1.5],
    ['seq', '1'],
    ['snapshot_id', '2026-03-01T02:00:00Z'],
    ['snapshot_id', '20260230T020000Z'], // no 30 February
    ['prefix', undefined],
    ['manifest_sha256', HEX_64.slice(1)],
    ['manifest_sha256', `0${HEX_64}`],
    ['manifest_sha256', `${HEX_64}0`],
    ['manifest_sha256', HEX_64.toUpperCase()],
    ['prev_sha256', `${HEX_64}0`],
    ['nonce', NONCE.slice(1)],
    ['nonce', `0${NONCE}`],
    ['nonce', `x${NONCE}`],
    ['nonce', `${NONCE}x`],
    ['nonce', NONCE.toUpperCase()],
    ['night', '2026-3-1'],
    ['night', '12026-03-01'],
    ['night', '2026-03-011'],
    ['published_at', '2026-03-01T02:01:00Z'],
    ['builder', ''],
    ['builder', 'b'.repeat(201)],
  ])('cannot have the %s %j', (name, value) => {
    expect(decoded({ [name]: value })).toBeNull();
  });

  test('is not written if readers would refuse it', () => {
    const { seq: _, prefix: _prefix, prev_sha256: _before, ...next } = entry;
    expect(encodeNextEntry(emptyLog(7n), next)).toEqual(encodeCanonical(stored));
    expect(() => encodeNextEntry(emptyLog(7n), { ...next, builder: '' })).toThrow('builder');
  });
});

describe('the fault of a log', () => {
  const first = encodeCanonical(stored);
  const log = follow(emptyLog(7n), [first]);
  const second: LogEntry = {
    ...entry,
    seq: 2,
    snapshot_id: '20260302T020000Z',
    prefix: `v1/a/7/s/20260302T020000Z-${NONCE}`,
    prev_sha256: sha256Hex(first),
  };
  const storedSecond = { ...second, published_at: stored.published_at };
  const after = (change: object): PublishLog =>
    follow(log, [encodeCanonical({ ...storedSecond, ...change })]);

  test('is null while each entry follows the one before', () => {
    expect(after({})).toEqual({
      account_id: 7n,
      ...UNSIGNED,
      entries: [entry, second],
      head_sha256: sha256Hex(encodeCanonical(storedSecond)),
      fault: null,
      unread: [],
    });
  });

  test.each([
    ['is malformed', { night: 'tonight' }],
    ['says it is entry 3', { seq: 3 }],
    ['does not follow the entry before it', { prev_sha256: HEX_64 }],
    ['names a foreign prefix', { prefix: `v1/a/8/s/20260302T020000Z-${NONCE}` }],
    ['is not newer than the one before', { snapshot_id: entry.snapshot_id, prefix: entry.prefix }],
  ])('says that an entry %s, and leaves the log where it was', (wrong, change) => {
    const { fault, ...rest } = after(change);
    expect(rest).toEqual({
      account_id: 7n,
      ...UNSIGNED,
      entries: [entry],
      head_sha256: sha256Hex(first),
      unread: [],
    });
    expect(fault).toMatchObject({
      code: 'publish_log_broken',
      message: `publish log of account 7: entry 2 ${wrong}.`,
      hint: 'Snapshots of earlier entries are still served. Nothing is published until the log is repaired.',
      data: { account: 7n, seq: 2 },
    });
  });

  test('of several entries read at once names the first that is wrong, after those that are good', () => {
    const third = encodeCanonical({ ...storedSecond, seq: 4 });
    const broken = follow(emptyLog(7n), [first, encodeCanonical(storedSecond), third, third]);
    expect(broken.entries).toEqual([entry, second]);
    expect(broken.fault).toMatchObject({ message: 'publish log of account 7: entry 3 says it is entry 4.' });
  });
});
