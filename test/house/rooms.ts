/** The rooms of the house, each a folder, and what each may import: the map of the architecture. */

interface Room {
  readonly name: string;
  /** The folder, with a slash at its end; a name without one is a file at the top of `src`. */
  readonly path: string;
  readonly mayImport: readonly string[] | 'everything';
}

const READ = [
  'format',
  'read',
  'store',
  'parquet',
  'tables',
  'figures',
  'focus',
  'warehouse',
  'signing',
  'foundation',
];

/** First match wins, so a room within a room stands before it. */
const ROOMS: readonly Room[] = [
  { name: 'figures', path: 'src/figures/', mayImport: ['figures'] },
  { name: 'focus', path: 'src/focus/', mayImport: ['focus'] },
  { name: 'signing', path: 'src/signing/', mayImport: ['signing'] },
  { name: 'database', path: 'src/database/', mayImport: ['database', 'foundation'] },
  {
    name: 'ledger',
    path: 'src/ledger/',
    mayImport: ['ledger', 'tables', 'database', 'figures', 'focus', 'foundation'],
  },
  { name: 'embedded', path: 'src/embedded/', mayImport: ['embedded', 'foundation'] },
  { name: 'tables', path: 'src/tables/', mayImport: ['tables', 'figures', 'focus', 'foundation'] },
  // What others run in warehouses of their own.
  { name: 'warehouse', path: 'src/warehouse/', mayImport: ['warehouse', 'database', 'tables', 'foundation'] },
  { name: 'parquet', path: 'src/parquet/', mayImport: ['parquet', 'tables', 'foundation'] },
  { name: 'store', path: 'src/store/', mayImport: ['store', 'signing', 'foundation'] },
  {
    name: 'format',
    path: 'src/snapshot/format/',
    mayImport: ['format', 'parquet', 'tables', 'focus', 'warehouse', 'signing', 'foundation'],
  },
  { name: 'read', path: 'src/snapshot/read/', mayImport: READ },
  {
    name: 'spool',
    path: 'src/snapshot/spool/',
    mayImport: ['spool', 'format', 'store', 'parquet', 'foundation'],
  },
  // The audit must be able to disagree with the figures and with how the ledger is read.
  {
    name: 'audit',
    path: 'src/snapshot/audit/',
    mayImport: ['audit', 'spool', 'format', 'tables', 'parquet', 'store', 'warehouse', 'foundation'],
  },
  { name: 'keep', path: 'src/snapshot/keep/', mayImport: ['keep', 'audit', 'spool', ...READ] },
  {
    name: 'build',
    path: 'src/snapshot/build/',
    mayImport: ['build', 'keep', 'audit', 'spool', 'ledger', 'database', ...READ],
  },
  // Reads what is published, with the engine of the audit.
  {
    name: 'diff',
    path: 'src/diff/',
    mayImport: ['diff', 'audit', 'spool', 'format', 'read', 'store', 'tables', 'foundation'],
  },
  // A server writes down what was spent and used.
  {
    name: 'serve',
    path: 'src/serve/',
    mayImport: [
      'serve',
      'diff',
      'ops',
      'format',
      'read',
      'store',
      'tables',
      'ledger',
      'figures',
      'warehouse',
      'signing',
      'foundation',
    ],
  },
  // Reads what others publish: rates as bytes, and then as rows that any ledger could take.
  { name: 'rates', path: 'src/rates/', mayImport: ['rates', 'foundation'] },
  { name: 'ops', path: 'src/ops/', mayImport: ['ops', 'database', 'foundation'] },
  // Tells receivers what was published or not: from what stands in schema `ops` and what may be read.
  {
    name: 'webhooks',
    path: 'src/webhooks/',
    mayImport: ['webhooks', 'ops', 'database', 'format', 'read', 'store', 'foundation'],
  },
  { name: 'client', path: 'src/client/', mayImport: ['client', 'signing'] },
  // It must be able to disagree with all other code: it shares none.
  { name: 'prover', path: 'src/prover/', mayImport: ['prover'] },
  // It runs in a browser, and only adds to pages that stand without it.
  { name: 'browser', path: 'src/browser/', mayImport: ['browser'] },
  {
    name: 'run',
    path: 'src/run/',
    mayImport: [
      'run',
      'serve',
      'webhooks',
      'ops',
      'rates',
      'diff',
      'build',
      'keep',
      'audit',
      'spool',
      'ledger',
      'embedded',
      ...READ,
    ],
  },
  // How each is called; what it does, in `actions` or beside it, is loaded when it is asked for.
  { name: 'commands', path: 'src/commands/', mayImport: 'everything' },
  { name: 'commands', path: 'src/cli.ts', mayImport: 'everything' },
  // Days are the calendar's, which is pure arithmetic.
  { name: 'foundation', path: 'src/time.ts', mayImport: ['foundation', 'figures'] },
  { name: 'jobs', path: 'jobs/', mayImport: 'everything' },
  { name: 'tools', path: 'tools/', mayImport: 'everything' },
  { name: 'test', path: 'test/', mayImport: 'everything' },
];

/** A file at the top of `src`: what every room may need. */
const FOUNDATION: Room = { name: 'foundation', path: 'src/', mayImport: ['foundation', 'signing'] };

/** No room may be reached from here, however long the way: the audit would agree with itself. */
export const NEVER_REACHED: readonly { readonly from: string; readonly rooms: readonly string[] }[] = [
  { from: 'audit', rooms: ['figures', 'ledger'] },
];

/** The room a file lives in; undefined when it has none. */
export function roomOf(path: string): Room | undefined {
  const room = ROOMS.find((each) => path.startsWith(each.path));
  return room ?? (/^src\/[^/]+$/.test(path) ? FOUNDATION : undefined);
}
