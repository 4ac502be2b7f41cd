import { expect, test } from 'vitest';
import { encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { decodeManifest, encodeManifest, type Manifest } from '../../../src/snapshot/format/manifest.ts';
import { servedManifest } from '../../../src/snapshot/format/served-manifest.ts';
import { instantOf } from '../../support/instant-of.ts';

const table = {
  name: 'costs',
  row_count: 3,
  size_bytes: 500,
  sha256: 'a'.repeat(64),
  blocks_sha256: 'b'.repeat(64),
};
const file = { name: 'audit.json', size_bytes: 9, sha256: 'c'.repeat(64) };
const sound: Manifest = {
  snapshot_id: '20260301T020304Z',
  schema_version: 'v1',
  generated_at: instantOf('2026-03-01T02:03:04.999999Z'),
  changes_from: instantOf('2026-03-01T02:03:03.000000Z'),
  account_id: 7,
  pg_snapshot: '10:12:10,11',
  nonce: 'd'.repeat(32),
  block_bytes: 1_048_576,
  tables: [table],
  files: [file],
  left_out: {
    cost: [{ currency: 'CHF', amount_cents: -5, entries: 2 }],
    value: [
      { currency: 'EUR', amount_cents: 700, entries: 1, capacity_amount_cents: 30, capacity_entries: 3 },
    ],
  },
  versions: { writer: 'crossfoot 0', audit_engine: 'duckdb 1', postgres: '18' },
};
/** The same as it is stored. */
const stored = {
  ...sound,
  generated_at: '2026-03-01T02:03:04.999999Z',
  changes_from: '2026-03-01T02:03:03.000000Z',
};
const { snapshot_id, nonce } = sound;
const left = { currency: 'CHF', amount_cents: 5, entries: 1 };

/** Reads bytes whose digest the log vouches for, so that only their content can be refused. */
function read(bytes: Uint8Array, expected: object = {}): Manifest {
  return decodeManifest(bytes, {
    account_id: 7n,
    snapshot_id,
    nonce,
    manifest_sha256: sha256Hex(bytes),
    ...expected,
  });
}

test('a manifest is read back as it was written', () => {
  expect(read(encodeManifest(sound))).toEqual(sound);
});

test('a manifest may lack the instant to continue from, when it was read on a standby (F-11)', () => {
  expect(read(encodeManifest({ ...sound, changes_from: null })).changes_from).toBeNull();
});

test('a manifest of an older writer without amounts left out stays readable and does not say "nothing"', () => {
  const { left_out: _left_out, ...older } = stored;
  expect(read(encodeCanonical(older)).left_out).toBeNull();
});

test('a manifest has the same bytes for any order of its fields', () => {
  const turned = Object.fromEntries(Object.entries(sound).toReversed()) as Manifest; // the same fields
  expect(encodeManifest(turned)).toEqual(encodeManifest(sound));
});

test('the reader ignores fields of a newer writer, and the writer refuses them (F-44)', () => {
  const newer = { colour: 'red', tables: [{ ...table, colour: 'red' }] };
  expect(read(encodeCanonical({ ...stored, ...newer }))).toEqual(sound);
  expect(() => encodeManifest({ ...sound, ...newer })).toThrow('unknown fields');
});

const poisoned: Record<string, object> = {
  'another account': { account_id: 8 },
  'an account of text': { account_id: '7' },
  'another snapshot': { snapshot_id: '20260301T020305Z', generated_at: '2026-03-01T02:03:05.000000Z' },
  'an id that is not its moment': { generated_at: '2026-03-01T02:03:05.000000Z' },
  'an id that climbs out': { snapshot_id: '../20260301T020304Z' },
  'a moment without microseconds': { generated_at: '2026-03-01T02:03:04Z' },
  'no changes_from': { changes_from: undefined },
  'another build': { nonce: 'e'.repeat(32) },
  'a nonce that climbs out': { nonce: '../x' },
  'the next schema version': { schema_version: 'v2' },
  'another block size': { block_bytes: 1_048_577 },
  'no tables': { tables: [] },
  'a currency left out twice': {
    left_out: { ...sound.left_out, cost: [1, 2].map((entries) => ({ ...left, entries })) },
  },
  'bills of a table and currency left out twice': {
    left_out: {
      ...sound.left_out,
      bills: [1, 2].map((entries) => ({ table: 'vendor_bills', ...left, entries })),
    },
  },
  'a currency left out that is none': {
    left_out: { ...sound.left_out, cost: [{ ...left, currency: 'eur' }] },
  },
  'a sum left out beyond 2^53': {
    left_out: { ...sound.left_out, cost: [{ ...left, amount_cents: 9_007_199_254_740_992 }] },
  },
  'a table too many': { tables: [table, { ...table, name: 'table_fifteen' }] },
  'a table by path': { tables: [{ ...table, name: '../costs' }] },
  'a table named like an object property': { tables: [{ ...table, name: 'constructor' }] },
  'a table twice': { tables: [table, table] },
  'a negative size': { tables: [{ ...table, size_bytes: -1 }] },
  'an empty table file': { tables: [{ ...table, size_bytes: 0 }] },
  'half a byte': { tables: [{ ...table, size_bytes: 0.5 }] },
  'a size beyond 2^53': { tables: [{ ...table, size_bytes: 2 ** 53 }] },
  'negative rows': { tables: [{ ...table, row_count: -1 }] },
  'a digest in capitals': { tables: [{ ...table, sha256: 'A'.repeat(64) }] },
  'a digest too short': { tables: [{ ...table, blocks_sha256: 'b'.repeat(63) }] },
  'tables that are no list': { tables: { 0: table } },
  'a file by path': { files: [{ ...file, name: '../audit.json' }] },
  'a file that is a mark': { files: [{ ...file, name: 'retracted.json' }] },
  'a file that is a table': { files: [{ ...file, name: 'costs.parquet' }] },
  'a file twice': { files: [file, file] },
  'a database snapshot of free text': { pg_snapshot: 'x' },
  'no versions': { versions: {} },
};

test.each(Object.entries(poisoned))('the reader refuses a manifest with %s (F-41, F-44)', (_, wrong) => {
  expect(() => read(encodeCanonical({ ...stored, ...wrong }))).toThrow(/^manifest: refused/);
});

const text = String(encodeManifest(sound));
const forged: Record<string, string> = {
  'a key twice': text.replace('"account_id":7', '"account_id":7,"account_id":7'),
  'a prototype': text.replace('{"account_id"', '{"__proto__":{"x":1},"account_id"'),
  'white space': `${text}\n`,
  'a number beyond 2^53': text.replace('"row_count":3', '"row_count":9007199254740993'),
  'no JSON': 'no',
  'JSON of another kind': '[]',
  null: 'null',
  'an abort mark': '{"aborted":true}',
  'deep nesting': '['.repeat(200_000),
};

test.each(Object.entries(forged))('the reader refuses bytes with %s', (_, bytes) => {
  expect(() => read(Buffer.from(bytes))).toThrow(/^manifest: refused/);
});

test('A-38: the reader refuses more than 1 MiB before looking inside', () => {
  expect(() => read(Buffer.alloc(1_048_577))).toThrow('larger than 1 MiB');
});

test('the reader refuses a manifest that is not the one its log entry names, saying both digests', () => {
  const bytes = encodeManifest(sound);
  const refusal = expect.objectContaining({
    code: 'manifest_invalid',
    data: { expected: '0'.repeat(64), found: sha256Hex(bytes) },
  });
  expect(() => read(bytes, { manifest_sha256: '0'.repeat(64) })).toThrow(refusal);
});

test('the served manifest has absolute addresses pinned to the snapshot, and instants as they are stored', () => {
  const { nonce: _nonce, pg_snapshot: _pg_snapshot, ...told } = sound;
  const snapshot = { ...told, expires_at: null, pins: [], retraction: null, quarantine: null };
  const url = 'https://figures.example/v1/reporting/snapshots/20260301T020304Z/costs.parquet';
  expect(servedManifest(snapshot, 'https://figures.example/v1')).toEqual({
    ...snapshot,
    generated_at: stored.generated_at,
    changes_from: stored.changes_from,
    tables: [{ ...table, url }],
  });
});
