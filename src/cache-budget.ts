/**
 * The size of every cache, in bytes: what a process may hold beside its work. The article on operating tells their sum. A
 * value above the size of its cache is held alone, until another one comes.
 */
const MIB = 1_048_576;

/** Caches in the memory of a server. */
export const MEMORY_BUDGET = {
  /** Blocks of stored files whose digests were checked: footers, and columns that are often read. */
  blocks: 64 * MIB,
  /** Footers of tables, read. The footer of a million rows in small row groups takes 5 MB. */
  footers: 32 * MIB,
  manifests: 16 * MIB,
  /** Where the files of packed builds lie. */
  packed_places: 4 * MIB,
  /** Publish logs. A log of ten years takes 1.5 MB. */
  logs: 64 * MIB,
  /** Pins, retractions and notes of damage. */
  marks: 16 * MIB,
  /** The row numbers of sorted and filtered views: a million rows take 4 MB. */
  row_numbers: 64 * MIB,
  row_pages: 32 * MIB,
  /** The titles of initiatives and the names of vendors. */
  id_names: 32 * MIB,
  /** Names of accounts. */
  names: 1 * MIB,
  /** The entries and amounts that moved between two snapshots. */
  moves: 64 * MIB,
  /** Pages of changed entries. */
  moved_pages: 4 * MIB,
  /** The totals of all initiatives in the windows of a snapshot: a page needs those of two snapshots. */
  totals: 64 * MIB,
  windows: 8 * MIB,
  portfolio_totals: 1 * MIB,
  /** Initiatives with their names, and rows of AI spend. */
  described: 31 * MIB,
  /** Amounts without dollars, and cost at a provisional rate. */
  unsettled: 1 * MIB,
  months: 32 * MIB,
  initiatives: 16 * MIB,
  budgets: 16 * MIB,
  /** Sums of what bills say was used. */
  usage: 8 * MIB,
  /** Budgets against cost in the ledger of now: about 32,000 comparisons. */
  live_budgets: 32 * MIB,
  /** Sums by initiative in the ledger of now. */
  live_sums: 16 * MIB,
  live_answers: 5 * MIB,
  answers_as_of: 5 * MIB,
  /** Sums of what bills say was used, that assistants asked for. */
  usage_as_of: 8 * MIB,
  /** The figures of all initiatives as of a snapshot. */
  figures_as_of: 32 * MIB,
  /** DuckLake catalogues. One of 15 versions has a megabyte. */
  catalogues: 32 * MIB,
  /** What a catalogue needs of a snapshot: 120 kB. */
  catalogue_versions: 32 * MIB,
  feed_facts: 4 * MIB,
  searches: 1 * MIB,
  tokens: 2 * MIB,
  ended_sessions: 1 * MIB,
  rate_limits: 20 * MIB,
} as const;

/** Files of a server in the spool folder, below `DATA_DIR`. */
export const DISK_BUDGET = {
  /** Comparisons of two snapshots. */
  comparisons: 1024 * MIB,
  /** Files of the change feed. */
  feed: 512 * MIB,
} as const;
