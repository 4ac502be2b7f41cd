/** What a catalogue is derived from, with the files of its snapshots as they are stored: a thread of its own parses them. */
import { z } from 'zod';
import { FIELD_KINDS, type FieldKind } from '../fields.ts';
import { decodeCanonical } from '../snapshot/format/canonical-json.ts';
import type { StoredTable } from '../snapshot/format/manifest.ts';
import { decodeDigests } from '../snapshot/format/stored-digests.ts';
import { decodeFooters } from '../snapshot/format/stored-footers.ts';
import type { Lake, LakeTable, LakeVersion } from './lake.ts';
import type { Instant } from '../instant.ts';

/** What stands in a snapshot, which never changes. */
export interface StoredVersion {
  readonly generated_at: Instant;
  readonly tables: readonly Pick<StoredTable, 'name' | 'row_count' | 'size_bytes'>[];
  readonly schema: Uint8Array;
  /** Null in a snapshot of an older program. */
  readonly digests: Uint8Array | null;
  /** As the build stored them; of a snapshot of an older program, as this program reads them. */
  readonly footers: Uint8Array;
}

export interface GatheredLake extends Omit<Lake, 'versions'> {
  readonly versions: readonly (Omit<LakeVersion, 'tables'> & { readonly stored: StoredVersion })[];
}

/** Parses the files of every version. */
export function openLake({ versions, ...lake }: GatheredLake): Lake {
  return {
    ...lake,
    versions: versions.map(({ stored, ...version }) => ({ ...version, tables: tablesOf(stored) })),
  };
}

function tablesOf(stored: StoredVersion): readonly LakeTable[] {
  const described = schemaFile.parse(decodeCanonical(stored.schema)).tables;
  const digests = stored.digests === null ? [] : decodeDigests(stored.digests).tables;
  const footers = decodeFooters(stored.footers).tables;
  return stored.tables.flatMap(({ name, row_count, size_bytes }) => {
    const table = described.find((each) => each.name === name);
    const footer = footers.find((each) => each.name === name);
    if (table === undefined || footer === undefined) return [];
    const comment = `${table.grain}: ${table.description}`;
    const digest = digests.find((each) => each.name === name);
    return [{ name, row_count, size_bytes, comment, columns: table.columns, digest, footer }];
  });
}

const KINDS = Object.keys(FIELD_KINDS) as [FieldKind, ...FieldKind[]];

const schemaFile = z.object({
  tables: z.array(
    z.object({
      name: z.string(),
      grain: z.string(),
      description: z.string(),
      columns: z.array(
        z.object({ name: z.string(), type: z.enum(KINDS), nullable: z.boolean(), description: z.string() }),
      ),
    }),
  ),
});
