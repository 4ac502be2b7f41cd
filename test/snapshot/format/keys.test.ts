import { expect, test } from 'vitest';
import {
  blocksKey,
  buildOfKey,
  buildOfPartKey,
  buildPrefix,
  fileKey,
  logKey,
  manifestKey,
  partKey,
  partsPrefix,
  seqOfLogKey,
  tableKey,
} from '../../../src/snapshot/format/keys.ts';

test('the keys of an account lie where the protocol says', () => {
  const prefix = buildPrefix(7n, '20260101T000000Z', 'a'.repeat(32));
  expect(prefix).toBe('v1/a/7/s/20260101T000000Z-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  expect(tableKey(prefix, 'costs')).toBe(`${prefix}/costs.parquet`);
  expect(blocksKey(prefix, 'costs')).toBe(`${prefix}/costs.blocks`);
  expect(manifestKey(prefix)).toBe(`${prefix}/manifest.json`);
  expect(fileKey(prefix, 'audit.json')).toBe(`${prefix}/audit.json`);
  expect(logKey(7n, 12)).toBe('v1/a/7/log/0000000012.json');
});

test('the parts of a build lie in a directory of their own, which is no build', () => {
  const prefix = partsPrefix(7n, '20260101T000000Z', 'a'.repeat(32));
  expect(prefix).toBe('v1/a/7/r/20260101T000000Z-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  const key = partKey(prefix, 'costs', 3);
  expect(key).toBe(`${prefix}/costs.3.part`);
  expect(buildOfPartKey(key)).toEqual({ account_id: 7n, prefix, snapshot_id: '20260101T000000Z' });
  expect(buildOfKey(key)).toBeNull();
  expect(buildOfPartKey(tableKey(buildPrefix(7n, '20260101T000000Z', 'a'.repeat(32)), 'costs'))).toBeNull();
});

test('the log keys of an account are known, and no others', () => {
  expect(seqOfLogKey(7n, logKey(7n, 12))).toBe(12);
  const others = ['0000000000.json', '12.json', '0000000012.txt', '00000000x2.json', '0000000012.json.json'];
  for (const name of others) expect(seqOfLogKey(7n, `v1/a/7/log/${name}`)).toBeNull();
});
