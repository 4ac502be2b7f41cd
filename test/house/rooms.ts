/** The rooms of the house and what each may import, as the architecture lists them. */

interface Room {
  readonly name: string;
  /** What lives there: paths that begin with one of these. */
  readonly paths: readonly string[];
  readonly mayImport: readonly string[] | 'everything';
}

/** First match wins, so a room within a room stands before it. */
const ROOMS: readonly Room[] = [
  {
    name: 'foundation',
    paths: [
      'src/errors.ts',
      'src/log.ts',
      'src/config.ts',
      'src/fields.ts',
      'src/network-settings.ts',
      'src/store-settings.ts',
      'src/sum-limit.ts',
    ],
    mayImport: ['foundation'],
  },
  { name: 'figures', paths: ['src/figures/'], mayImport: ['figures'] },
  { name: 'ledger', paths: ['src/ledger/'], mayImport: ['ledger', 'figures', 'foundation'] },
  { name: 'tables', paths: ['src/tables/'], mayImport: ['tables', 'figures', 'foundation'] },
  // What others run in warehouses of their own.
  { name: 'warehouse', paths: ['src/warehouse/'], mayImport: ['warehouse', 'tables', 'foundation'] },
  { name: 'parquet', paths: ['src/parquet/'], mayImport: ['parquet', 'tables', 'foundation'] },
  { name: 'store', paths: ['src/store/'], mayImport: ['store', 'foundation'] },
  // The audit must be able to disagree with the figures and with how the ledger is read.
  {
    name: 'audit',
    paths: ['src/snapshot/audit'],
    mayImport: ['audit', 'reading', 'building', 'tables', 'parquet', 'store', 'foundation'],
  },
  {
    name: 'reading',
    paths: [
      'bounded-map',
      'canonical-json',
      'checked-bytes',
      'checked-read',
      'damaged-files',
      'digest',
      'entry-manifest',
      'file-blocks',
      'instant',
      'kept-fresh',
      'keys',
      'manifest',
      'marks',
      'publish-log',
      'read-chain',
      'read-log',
      'read-marks',
      'reader',
      'retention',
      'served-manifest',
      'seen-heads',
      'sha256-sums',
      'snapshot-id',
      'stored-digests',
      'table-csv',
      'standing',
    ].map((name) => `src/snapshot/${name}.ts`),
    mayImport: ['reading', 'store', 'parquet', 'tables', 'figures', 'warehouse', 'foundation'],
  },
  {
    name: 'building',
    paths: ['src/snapshot/'],
    mayImport: [
      'building',
      'audit',
      'reading',
      'store',
      'parquet',
      'tables',
      'ledger',
      'figures',
      'warehouse',
      'foundation',
    ],
  },
  // Reads what is published, with the engine of the audit.
  {
    name: 'diff',
    paths: ['src/diff/'],
    mayImport: ['diff', 'audit', 'reading', 'store', 'tables', 'foundation'],
  },
  {
    // A server writes down what was spent and used.
    name: 'serve',
    paths: ['src/serve/'],
    mayImport: [
      'serve',
      'diff',
      'ops',
      'reading',
      'store',
      'tables',
      'ledger',
      'figures',
      'warehouse',
      'foundation',
    ],
  },
  // Reads what others publish: rates as bytes, and then as rows that any ledger could take.
  { name: 'rates', paths: ['src/rates/'], mayImport: ['rates', 'foundation'] },
  { name: 'ops', paths: ['src/ops/'], mayImport: ['ops', 'foundation'] },
  // Tells outside servers what was published or not: from what stands in schema `ops` and what may be read.
  {
    name: 'telling',
    paths: ['src/telling/'],
    mayImport: ['telling', 'ops', 'reading', 'store', 'foundation'],
  },
  { name: 'client', paths: ['src/client/'], mayImport: ['client'] },
  { name: 'commands', paths: ['src/commands/', 'src/cli.ts'], mayImport: 'everything' },
  { name: 'jobs', paths: ['jobs/'], mayImport: 'everything' },
  { name: 'test', paths: ['test/'], mayImport: 'everything' },
];

/** No room may be reached from here, however long the way: the audit would agree with itself. */
export const NEVER_REACHED: readonly { readonly from: string; readonly rooms: readonly string[] }[] = [
  { from: 'audit', rooms: ['figures', 'ledger'] },
];

/** The room a file lives in; undefined when it has none. */
export function roomOf(path: string): Room | undefined {
  return ROOMS.find((room) => room.paths.some((start) => path.startsWith(start)));
}
