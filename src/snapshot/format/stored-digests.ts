/** The logical digests of a snapshot, as its file `digests.json` holds them. */
import { z } from 'zod';
import type { SnapshotDigests } from '../../warehouse/digests.ts';
import { decodeCanonical } from './canonical-json.ts';

/** The name of the file. Snapshots of older versions have none. */
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

/** Decodes bytes that were checked against the manifest; drops unknown fields of a newer writer. */
export function decodeDigests(bytes: Uint8Array): SnapshotDigests {
  return digests.parse(decodeCanonical(bytes));
}
