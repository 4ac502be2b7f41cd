/** The rows about versions: when each was, what it changed, and its message. */
import { canonicalText } from '../snapshot/format/canonical-json.ts';
import { secondOfSnapshotId } from '../snapshot/format/snapshot-id.ts';
import { formatInstant } from '../time.ts';
import type { Row, Rows } from './catalogue-tables.ts';
import type { Lake, LakeVersion } from './lake.ts';
import { ID_LIMIT } from './lake-ids.ts';
import type { LakeSchema } from './lake-schemas.ts';
import { changesOfColumns, type Shape, tableSpans } from './shape-rows.ts';

interface ChangedShape extends Shape {
  readonly present: ReturnType<typeof tableSpans>;
  /** The versions from which on it has other columns. */
  readonly altered: readonly number[];
}

/** The rows of all versions, and of the gaps between them. */
export function versionRows(lake: Lake, schemas: readonly LakeSchema[], all: readonly Shape[]): Rows {
  const shapes = all.map((shape) => ({
    ...shape,
    present: tableSpans(shape),
    altered: changesOfColumns(shape),
  }));
  // A reader keeps what it knows of tables and columns for as long as this number stays.
  const changed = new Set([
    ...schemas.flatMap(({ spans }) => spans[0]?.begin ?? []),
    ...shapes.flatMap(({ present }) => present).flatMap(({ begin, end }) => [begin, end ?? begin]),
    ...shapes.flatMap(({ altered }) => altered),
  ]);
  const numbers = [...lake.versions.map(({ seq }) => seq), ...lake.gaps.map(({ seq }) => seq)];
  const schemaVersion = (seq: number): number => Math.max(...[...changed].filter((each) => each <= seq));
  const moments = new Map([
    ...lake.versions.map(({ seq, generated_at }) => [seq, generated_at] as const),
    ...lake.gaps.map(({ seq, snapshot_id }) => [seq, secondOfSnapshotId(snapshot_id)] as const),
  ]);
  const told = new Map([
    ...lake.versions.map((version) => [version.seq, toldOf(version)] as const),
    ...lake.gaps.map(
      ({ seq, snapshot_id }) => [seq, { commit_message: `${snapshot_id}, no longer readable` }] as const,
    ),
  ]);
  const inOrder = numbers.toSorted((a, b) => a - b);
  return {
    ducklake_snapshot: inOrder.map((seq): Row => ({
      snapshot_id: seq,
      snapshot_time: formatInstant(moments.get(seq) ?? 0n),
      schema_version: schemaVersion(seq),
      next_catalog_id: ID_LIMIT,
      next_file_id: ID_LIMIT,
    })),
    ducklake_snapshot_changes: inOrder.map((seq): Row => ({
      snapshot_id: seq,
      changes_made: changesAt(seq, schemas, shapes).join(','),
      author: 'crossfoot',
      ...told.get(seq),
    })),
    ducklake_schema_versions: shapes.flatMap(({ id: table_id, altered }) =>
      altered.map((seq): Row => ({
        begin_snapshot: seq,
        schema_version: schemaVersion(seq),
        table_id,
      })),
    ),
  };
}

function toldOf({ seq, snapshot_id, manifest_sha256, pins, retraction, damaged_files }: LakeVersion): Row {
  const replaced_by = retraction?.replaced_by ?? null;
  const words = [
    snapshot_id,
    ...(retraction === null ? [] : [`retracted: ${retraction.reason}`]),
    ...(replaced_by === null ? [] : [`replaced by ${replaced_by}`]),
    ...(damaged_files.length === 0 ? [] : [`damaged: ${damaged_files.join(', ')}`]),
  ];
  const facts = {
    damaged_files,
    log_entry: seq,
    manifest_sha256,
    pins,
    retraction: retraction && { ...retraction, at: formatInstant(retraction.at) },
    snapshot_id,
  };
  return { commit_message: words.join(', '), commit_extra_info: canonicalText(facts) };
}

/** What a version changed, in the words of the format. */
function changesAt(
  seq: number,
  schemas: readonly LakeSchema[],
  shapes: readonly ChangedShape[],
): readonly string[] {
  return [
    ...schemas.filter(({ spans }) => spans[0]?.begin === seq).map(({ name }) => `created_schema:"${name}"`),
    ...shapes.flatMap(({ id, schema, name, spans, present, altered }) => {
      const [isMade, isDropped] = [
        present.some(({ begin }) => begin === seq),
        present.some(({ end }) => end === seq),
      ];
      if (isDropped) return [`dropped_table:${id}`];
      return [
        ...(isMade ? [`created_table:"${schema}"."${name}"`] : []),
        ...(!isMade && altered.includes(seq) ? [`altered_table:${id}`] : []),
        ...(spans.some(({ begin }) => begin === seq) ? [`inserted_into_table:${id}`] : []),
        ...(spans.some(({ end }) => end === seq) ? [`deleted_from_table:${id}`] : []),
      ];
    }),
  ];
}
