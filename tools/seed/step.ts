/** One statement of a seeded account; most statements fill a table. */
export interface SeedStep {
  /** The table that it fills, for progress messages and for `analyze`. */
  readonly table: string;
  readonly sql: string;
  /** For large tables: the statement runs several times, for one range of row numbers after the other, $1 to $2. */
  readonly long?: true;
}
