/** The digest of everything that decides what a comparison says: its SQL, the reasons, and the columns compared. */
import { sha256Hex } from '../snapshot/format/digest.ts';
import { encodeCanonical } from '../snapshot/format/canonical-json.ts';
import type { SqlScript } from '../sql-scripts.ts';
import { TABLES } from '../tables/all.ts';
import { placeholdersOf } from './comparison-sql.ts';
import { REASON_NAMES } from './reasons.ts';

/** A stored comparison counts only if it was made by the same rules. */
export function rulesDigest(sql: readonly SqlScript[]): string {
  const tables = TABLES.map((table) => placeholdersOf(table, new Set(table.columns.map(({ name }) => name))));
  return sha256Hex(encodeCanonical({ reasons: REASON_NAMES, sql, tables }));
}
