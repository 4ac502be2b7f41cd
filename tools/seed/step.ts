/** One statement of a seeded account; most statements fill a table. */
export interface SeedStep {
  /** The table that it fills, for progress messages and for `analyze`. */
  readonly table: string;
  /** A long step runs several times, each for a range of row numbers, $1 to $2. */
  readonly sql: string;
}
