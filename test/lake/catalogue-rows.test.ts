import { describe, expect, it } from 'vitest';
import { instantOf } from '../support/instant-of.ts';
import { aLake, aTable, aVersion, idOfDay, picked, rowsOfLake } from './made-lake.ts';

describe('the versions of a catalogue', () => {
  it('have the numbers of the log entries and the moments of the snapshots', () => {
    const rows = rowsOfLake(aLake([aVersion(4), aVersion(5)]));
    expect(picked(rows, 'ducklake_snapshot', 'snapshot_id', 'snapshot_time', 'schema_version')).toEqual([
      [4, '2026-11-04T00:00:00.123456Z', 4],
      [5, '2026-11-05T00:00:00.123456Z', 4],
    ]);
    expect(picked(rows, 'ducklake_data_file', 'path', 'begin_snapshot', 'end_snapshot')).toEqual([
      ['20261104T000000Z/costs', 4, 5],
      ['20261105T000000Z/costs', 5, null],
    ]);
  });

  it('say which snapshot they are, and whether it was retracted or damaged', () => {
    const retraction = {
      reason: 'Wrong rates.',
      at: instantOf('2026-11-06T08:00:00.000000Z'),
      replaced_by: null,
    };
    const rows = rowsOfLake(
      aLake([
        aVersion(1),
        aVersion(2, { retraction }),
        aVersion(3, { retraction: { ...retraction, replaced_by: idOfDay(4) } }),
        aVersion(4, { damaged_files: ['costs.parquet'] }),
      ]),
    );
    expect(picked(rows, 'ducklake_snapshot_changes', 'commit_message')).toEqual([
      ['20261101T000000Z'],
      ['20261102T000000Z, retracted: Wrong rates.'],
      ['20261103T000000Z, retracted: Wrong rates., replaced by 20261104T000000Z'],
      ['20261104T000000Z, damaged: costs.parquet'],
    ]);
    expect(picked(rows, 'ducklake_snapshot_changes', 'commit_extra_info')[1]).toEqual([
      `{"damaged_files":[],"log_entry":2,"manifest_sha256":"${'a'.repeat(64)}","pins":[],"retraction":{"at":"2026-11-06T08:00:00.000000Z","reason":"Wrong rates.","replaced_by":null},"snapshot_id":"20261102T000000Z"}`,
    ]);
  });

  it('end where the next snapshot has expired, so that no time in the gap is answered with an older one', () => {
    const rows = rowsOfLake(
      aLake([aVersion(1), aVersion(6)], { gaps: [{ seq: 2, snapshot_id: idOfDay(2) }] }),
    );
    expect(picked(rows, 'ducklake_snapshot', 'snapshot_id', 'snapshot_time', 'schema_version')).toEqual([
      [1, '2026-11-01T00:00:00.123456Z', 1],
      [2, '2026-11-02T00:00:00.000000Z', 2],
      [6, '2026-11-06T00:00:00.123456Z', 6],
    ]);
    expect(picked(rows, 'ducklake_snapshot_changes', 'commit_message')[1]).toEqual([
      '20261102T000000Z, no longer readable',
    ]);
    const spans = [
      [1, 2],
      [6, null],
    ];
    expect(picked(rows, 'ducklake_table', 'begin_snapshot', 'end_snapshot')).toEqual(spans);
    expect(picked(rows, 'ducklake_data_file', 'begin_snapshot', 'end_snapshot')).toEqual(spans);
  });
});

describe('the schemas of a catalogue', () => {
  it('are main and one for each pin, which shows the pinned version until the pin names another', () => {
    const rows = rowsOfLake(
      aLake([
        aVersion(1, { pins: ['Close.2026'] }),
        aVersion(2),
        aVersion(3, { pins: ['Close.2026', 'audit'] }),
        aVersion(4),
      ]),
    );
    expect(picked(rows, 'ducklake_schema', 'schema_name', 'begin_snapshot')).toEqual([
      ['main', 1],
      ['audit', 3],
      ['close-2026', 1],
    ]);
    const files = picked(rows, 'ducklake_data_file', 'path', 'begin_snapshot', 'end_snapshot');
    expect(files.slice(4)).toEqual([
      ['20261103T000000Z/costs', 3, null],
      ['20261101T000000Z/costs', 1, 3],
      ['20261103T000000Z/costs', 3, null],
    ]);
    expect(new Set(picked(rows, 'ducklake_data_file', 'data_file_id').map(String)).size).toBe(7);
  });

  it('leave out a pin whose name is that of a schema of every snapshot', () => {
    const rows = rowsOfLake(aLake([aVersion(1, { pins: ['main', 'reporting'] })]));
    expect(picked(rows, 'ducklake_schema', 'schema_name')).toEqual([['main']]);
  });
});

describe('the columns of a catalogue', () => {
  const note = { name: 'note', type: 'text', nullable: true, description: 'A note.' } as const;
  const { columns, footer } = aTable();
  const wider = aTable({
    columns: [...columns, note],
    footer: {
      ...footer,
      columns: [
        ...footer.columns,
        { name: 'note', field_id: 4, size_bytes: 10, nulls: 60, least: null, greatest: null },
      ],
    },
  });

  it('begin with the version that brought them, and keep the id that the files have', () => {
    const rows = rowsOfLake(
      aLake([aVersion(1), aVersion(2, { tables: [wider] }), aVersion(3, { tables: [wider] })]),
    );
    expect(
      picked(rows, 'ducklake_column', 'column_name', 'column_id', 'begin_snapshot', 'end_snapshot'),
    ).toEqual([
      ['snapshot_id', 1, 1, null],
      ['cost_entry_id', 2, 1, null],
      ['period_start', 3, 1, null],
      ['note', 4, 2, null],
    ]);
    expect(picked(rows, 'ducklake_snapshot', 'schema_version')).toEqual([[1], [2], [2]]);
    expect(picked(rows, 'ducklake_snapshot_changes', 'changes_made')[1]).toEqual([
      expect.stringContaining('altered_table:'),
    ]);
  });

  it('have the types of the declaration, and its sentences as comments', () => {
    const rows = rowsOfLake(aLake([aVersion(1)]));
    expect(picked(rows, 'ducklake_column', 'column_type', 'nulls_allowed')).toEqual([
      ['varchar', false],
      ['int64', false],
      ['timestamptz', true],
    ]);
    expect(picked(rows, 'ducklake_tag', 'key', 'value')).toEqual([
      ['comment', 'one row per cost entry: What initiatives cost.'],
    ]);
    expect(picked(rows, 'ducklake_column_tag', 'column_id', 'value')).toEqual([
      [1, 'The snapshot.'],
      [2, 'The cost entry.'],
      [3, 'The first day.'],
    ]);
  });
});

describe('the numbers of a file', () => {
  it('come from the manifest and the digests', () => {
    const rows = rowsOfLake(aLake([aVersion(1)]));
    expect(picked(rows, 'ducklake_data_file', 'record_count', 'file_size_bytes', 'footer_size')).toEqual([
      [60, 22_470, 15_405],
    ]);
    expect(
      picked(
        rows,
        'ducklake_file_column_stats',
        'column_id',
        'value_count',
        'null_count',
        'min_value',
        'max_value',
      ),
    ).toEqual([
      [1, 60, 0, null, null],
      [2, 60, 0, '3001', '3087'],
      [3, 55, 5, '2024-05-01 00:00:00.000000+00', '2026-08-01 00:00:00.000000+00'],
    ]);
  });

  it('have no least and greatest value in a snapshot without digests', () => {
    const rows = rowsOfLake(aLake([aVersion(1, { tables: [aTable({ digest: undefined })] })]));
    expect(picked(rows, 'ducklake_file_column_stats', 'null_count', 'min_value', 'max_value')).toEqual([
      [0, null, null],
      [0, null, null],
      [5, null, null],
    ]);
  });

  it('are refused if the footer of the file states another', () => {
    const lake = aLake([aVersion(1, { tables: [aTable({ row_count: 61 })] })]);
    expect(() => rowsOfLake(lake)).toThrow(
      'costs of 20261101T000000Z: the footer of its file states 60 rows, expected 61.',
    );
  });
});

/** The ids of the files and schemas of a lake with these versions, of which the second is pinned. */
function idsOf(seqs: readonly number[]): readonly (readonly unknown[])[] {
  const rows = rowsOfLake(aLake(seqs.map((seq) => aVersion(seq, { pins: seq === 2 ? ['close'] : [] }))));
  return [
    ...picked(rows, 'ducklake_data_file', 'path', 'data_file_id', 'table_id'),
    ...picked(rows, 'ducklake_schema', 'schema_name', 'schema_id', 'schema_uuid'),
  ];
}

it('the ids of tables, schemas and files stay when another version comes or one expires', () => {
  const after = idsOf([2, 3]);
  const kept = idsOf([1, 2]).filter(([name]) => name !== '20261101T000000Z/costs');
  // The file of version 2 in main and in the schema of its pin, and both schemas.
  expect(kept).toHaveLength(4);
  expect(after).toEqual(expect.arrayContaining([...kept]));
});
