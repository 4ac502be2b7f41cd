/** One statement that fills a table. */
export interface SeedStep {
  /** The table it fills, for progress messages. */
  readonly table: string;
  readonly sql: string;
  /** For large tables: the statement runs for one range of numbers after the other, $1 to $2. */
  readonly long?: true;
}
