/** One statement that fills a table. */
export interface SeedStep {
  /** The table it fills, as progress names it. */
  readonly table: string;
  readonly sql: string;
  /** For the tables that are long: the statement is run for one stretch of numbers after the other, $1 to $2. */
  readonly long?: true;
}
