/** The numbers of all Parquet footers of a snapshot's tables, as its file `footers.json` holds them. */
import { z } from 'zod';
import type { FooterNumbers } from '../../parquet/footer-numbers.ts';
import { decodeCanonical } from './canonical-json.ts';

/** The name of the file. Snapshots of older versions have none. */
export const FOOTERS_FILE = 'footers.json';

const count = z.int().min(0);
const end = z.string().nullable();
const footers = z.object({
  snapshot_id: z.string(),
  tables: z.array(
    z.object({
      name: z.string(),
      rows: count,
      footer_bytes: count,
      columns: z.array(
        z.object({
          name: z.string(),
          field_id: z.int().nullable(),
          size_bytes: count,
          nulls: count.nullable(),
          least: end,
          greatest: end,
        }),
      ),
    }),
  ),
});

export interface SnapshotFooters {
  readonly snapshot_id: string;
  readonly tables: readonly (FooterNumbers & { readonly name: string })[];
}

/** Decodes bytes that were checked against the manifest; drops unknown fields of a newer writer. */
export function decodeFooters(bytes: Uint8Array): SnapshotFooters {
  return footers.parse(decodeCanonical(bytes));
}
