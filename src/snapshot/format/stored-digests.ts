/** The logical digests of a snapshot as they stand beside it, in `digests.json`. */
import { z } from 'zod';
import type { SnapshotDigests } from '../../warehouse/digests.ts';
import { decodeCanonical } from './canonical-json.ts';

/** The name of the file; snapshots of before it was first written have none. */
export const DIGESTS_FILE = 'digests.json';

const value = z.string().nullable().optional();
const digests = z.object({
  snapshot_id: z.string(),
  tables: z.array(
    z.object({
      name: z.string(),
      rows: z.string(),
      columns: z.array(
        z.object({ name: z.string(), sum: value, nulls: value, least: value, greatest: value }),
      ),
    }),
  ),
});

/** The digests of bytes that were held to the manifest; what a newer writer measured beside them is left out. */
export function decodeDigests(bytes: Uint8Array): SnapshotDigests {
  return digests.parse(decodeCanonical(bytes));
}
