import { expect, it } from 'vitest';
import { linkLifetime } from '../../../src/serve/sharing/link-lifetime.ts';
import { metadataLine, statistics } from '../../../src/serve/sharing/table-lines.ts';
import type { ChosenVersion } from '../../../src/serve/sharing/chosen-version.ts';
import { everyKind } from '../../parquet/every-kind.ts';

it('the metadata describe every kind of column in the types of the protocol', () => {
  const chosen = { seq: 5 } as ChosenVersion; // the line needs its number only
  const shared = { name: 'every_kind', table: everyKind };
  const { metaData } = metadataLine(shared, chosen, { id: 'x', size_bytes: 9, changes: true });
  expect(metaData).toMatchObject({ version: 5, size: 9, numFiles: 1, partitionColumns: [] });
  const { type, fields } = JSON.parse(metaData.schemaString);
  expect(type).toBe('struct');
  expect(
    fields.slice(0, 11).map((field: { name: string; type: string }) => [field.name, field.type]),
  ).toEqual([
    ['snapshot_id', 'string'],
    ['an_id', 'long'],
    ['a_string', 'string'],
    ['a_text', 'string'],
    ['an_integer', 'integer'],
    ['a_number', 'double'],
    ['a_boolean', 'boolean'],
    ['a_date', 'date'],
    ['a_timestamp', 'timestamp'],
    ['some_cents', 'long'],
    ['a_json', 'string'],
  ]);
  expect(fields[11]).toEqual({
    name: 'maybe_id',
    type: 'long',
    nullable: true,
    metadata: { comment: 'An id; empty at times.' },
  });
});

it('the statistics have limits and empty values from the digests, with every digit', () => {
  const digest = {
    name: 'every_kind',
    rows: '3',
    columns: [
      { name: 'an_id', least: '-1', greatest: '9007199254740993' }, // 2^53 + 1
      { name: 'a_timestamp', least: '0', greatest: '1000001' },
      { name: 'a_date', least: '2026-01-31', greatest: null },
      { name: 'maybe_id', nulls: '2' },
    ],
  };
  const text = statistics(everyKind, 3, digest);
  expect(text).toContain(
    '"minValues":{"an_id":-1,"a_date":"2026-01-31","a_timestamp":"1970-01-01T00:00:00.000000Z"},' +
      '"maxValues":{"an_id":9007199254740993,"a_timestamp":"1970-01-01T00:00:01.000001Z"}',
  );
  const { numRecords, nullCount } = JSON.parse(text);
  expect(numRecords).toBe(3);
  expect(nullCount).toMatchObject({ an_id: 0, maybe_id: 2 });
  expect(nullCount).not.toHaveProperty('maybe_text');
});

it('the address of a large file lives longer, a day at most', () => {
  const HOUR = 3_600_000_000n;
  expect(linkLifetime(0)).toBe(HOUR);
  expect(linkLifetime(64_000 * 3_600)).toBe(2n * HOUR);
  expect(linkLifetime(1e12)).toBe(24n * HOUR);
});
