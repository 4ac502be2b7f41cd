/** What a pull reads from a manifest, which forms are refused, and which tables a pull takes; in this process. */
import { describe, expect, it } from 'vitest';
import { PullStopped } from '../../src/client/errors.ts';
import { parseManifest, refuseRetracted, tablesNamed } from '../../src/client/remote-manifest.ts';
import { manifestOf } from './scripted-server.ts';

const HEX = '0123456789abcdef'.repeat(4);
const COSTS = { name: 'costs', row_count: 3, size_bytes: 280, sha256: HEX };
const EMPTY = { name: 'snapshot', row_count: 0, size_bytes: 0, sha256: HEX };
const AUDIT = { name: 'audit.json', size_bytes: 9, sha256: HEX };
const RETRACTION = { reason: 'Loaded\ttwice ', replaced_by: '20260716T020000Z' };

const textOf = (changed: object): string =>
  JSON.stringify(manifestOf({ tables: [COSTS, EMPTY], files: [AUDIT], ...changed }));
const read = (changed: object = {}) => parseManifest(textOf(changed));

it('a manifest is read with each fact, and its files with their names and paths', () => {
  expect(read({ retraction: RETRACTION })).toEqual({
    snapshot_id: '20260715T020000Z',
    generated_at: '2026-07-15T02:00:00.000000Z',
    account_id: 7,
    tables: [
      {
        table: 'costs',
        name: 'costs.parquet',
        path: 'costs.parquet',
        row_count: 3,
        size_bytes: 280,
        sha256: HEX,
      },
      {
        table: 'snapshot',
        name: 'snapshot.parquet',
        path: 'snapshot.parquet',
        row_count: 0,
        size_bytes: 0,
        sha256: HEX,
      },
    ],
    files: [{ name: 'audit.json', path: 'files/audit.json', size_bytes: 9, sha256: HEX }],
    retraction: { reason: 'Loaded twice.', replaced_by: '20260716T020000Z' },
    text: textOf({ retraction: RETRACTION }),
  });
});

it.each(['No.', 'No!', 'No?', 'No…'])('the reason %s of a retraction gets no second full stop', (reason) => {
  expect(read({ retraction: { reason, replaced_by: null } }).retraction).toEqual({
    reason,
    replaced_by: null,
  });
});

it('a manifest may have names of sixty letters and the largest counts', () => {
  const [name, most] = ['a'.repeat(60), Number.MAX_SAFE_INTEGER];
  const tables = [{ ...COSTS, name, row_count: most, size_bytes: most }];
  expect(read({ tables, files: [{ ...AUDIT, name: `${name}.sql` }] })).toMatchObject({
    tables: [{ table: name, row_count: most, size_bytes: most }],
    files: [{ name: `${name}.sql` }],
  });
});

const ofTable = (fact: object): object => ({ tables: [COSTS, { ...EMPTY, ...fact }] });

const ofFile = (fact: object): object => ({ files: [AUDIT, { ...AUDIT, ...fact }] });

describe('a manifest is refused as malformed for', () => {
  it.each<[string, object]>([
    ['snapshot_id', { snapshot_id: '20260715T020000' }],
    ['snapshot_id', { snapshot_id: 'a20260715T020000Z' }],
    ['generated_at', { generated_at: '15 July 2026, at two' }],
    ['generated_at', { generated_at: '2026-07-15T02:00:00' }],
    ['account_id', { account_id: '7' }],
    ['account_id', { account_id: -1 }],
    ['tables', { tables: null }],
    ['tables', { tables: [null] }],
    ['files', { files: {} }],
    ['files', { files: ['audit.json'] }],
    ['retraction', { retraction: 'yes' }],
    ['reason', { retraction: { ...RETRACTION, reason: '' } }],
    ['replaced_by', { retraction: { ...RETRACTION, replaced_by: 'newest' } }],
    ['table name', ofTable({ name: 'a'.repeat(61) })],
    ['table name', ofTable({ name: '' })],
    ['table name', ofTable({ name: 'Costs' })],
    ['table name', ofTable({ name: '../costs' })],
    ['row_count', ofTable({ row_count: 2 ** 53 })],
    ['size_bytes of snapshot.parquet', ofTable({ size_bytes: -1 })],
    ['size_bytes of snapshot.parquet', ofTable({ size_bytes: 0.5 })],
    ['sha256 of snapshot.parquet', ofTable({ sha256: HEX.slice(1) })],
    ['sha256 of snapshot.parquet', ofTable({ sha256: `${HEX}0` })],
    ['sha256 of snapshot.parquet', ofTable({ sha256: HEX.toUpperCase() })],
    ['file name', ofFile({ name: 'audit.exe' })],
    ['file name', ofFile({ name: '../audit.json' })],
    ['file name', ofFile({ name: '.json' })],
    ['file name', ofFile({ name: `${'a'.repeat(61)}.json` })],
    ['sha256 of audit.json', ofFile({ sha256: null })],
    ['size_bytes of audit.json', ofFile({ size_bytes: '9' })],
  ])('%s in %j', (what, changed) => {
    expect(() => read(changed)).toThrow(new PullStopped(3, `The manifest is malformed: ${what}.`));
  });

  it.each([
    ['no JSON', 'no'],
    ['manifest', 'null'],
    ['manifest', '7'],
  ])('%s in the text %s', (what, text) => {
    expect(() => parseManifest(text)).toThrow(new PullStopped(3, `The manifest is malformed: ${what}.`));
  });
});

const names = (asked: readonly string[] | null) => tablesNamed(read(), asked).map(({ table }) => table);

describe('the tables of a pull', () => {
  it('are all of the snapshot, or those named, in the order of the snapshot', () => {
    expect([names(null), names(['snapshot']), names(['snapshot', 'costs'])]).toEqual([
      ['costs', 'snapshot'],
      ['snapshot'],
      ['costs', 'snapshot'],
    ]);
  });

  it('are refused with every name that the snapshot lacks', () => {
    expect(() => names(['cost', 'costs', ''])).toThrow(
      new PullStopped(2, 'Snapshot 20260715T020000Z has no table cost, .'),
    );
  });
});

it('a retracted snapshot is refused with its replacement, unless it is wanted', () => {
  const retracted = read({ retraction: RETRACTION });
  expect(() => refuseRetracted(retracted, false)).toThrow(
    new PullStopped(
      3,
      'Snapshot 20260715T020000Z was retracted: Loaded twice. Pull 20260716T020000Z instead. --retracted pulls it all the same.',
    ),
  );
  expect([refuseRetracted(retracted, true), refuseRetracted(read(), false)]).toEqual([undefined, undefined]);
});
