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
  'warehouse',
  'signing',
  'foundation',
];

const LOADS = ['ledger/focus', 'ledger/load', 'ledger/identity', 'ledger/sources', 'ledger/staging'];

/** What the rooms of `serve` need of the rest of the house. */
const FROM_THE_HOUSE = {
  http: ['read'],
  auth: ['ledger', 'ops'],
  limits: ['ops'],
  contract: ['figures', 'format', 'ledger', 'tables', 'warehouse'],
  reporting: ['diff', 'format', 'lake', 'ledger', 'read', 'signing', 'tables', 'warehouse'],
  live: ['figures', 'format', 'ledger', 'read', 'tables'],
  resources: ['figures', 'ledger', 'tables'],
  sharing: ['diff', 'format', 'read', 'tables', 'warehouse'],
  assistant: ['diff', 'figures', 'format', 'ledger', 'read', 'tables'],
  frame: ['format', 'ledger'],
  connect: ['ledger', 'ops'],
  site: ['ledger', 'tables'],
  pages: ['diff', 'figures', 'format', 'read', 'tables'],
  rows: ['diff', 'figures', 'format', 'read', 'tables'],
  money: ['diff', 'figures', 'format', 'read', 'tables'],
  metrics: ['format', 'read'],
} satisfies Readonly<Record<string, readonly string[]>>;

type ServeRoom = keyof typeof FROM_THE_HOUSE;

/** Stairs: a room of `serve` imports those above it in this list, never one below. */
export const SERVE: readonly (readonly [name: ServeRoom, above: readonly ServeRoom[]])[] = [
  ['http', []],
  ['auth', ['http']],
  ['limits', ['http', 'auth']],
  ['contract', ['http', 'auth']],
  ['reporting', ['http', 'auth', 'limits', 'contract']],
  ['live', ['http', 'auth', 'limits', 'contract', 'reporting']],
  ['resources', ['contract', 'live']],
  ['sharing', ['http', 'auth', 'contract', 'reporting']],
  ['assistant', ['http', 'auth', 'contract', 'live', 'resources']],
  ['frame', ['http', 'auth', 'reporting']],
  ['connect', ['http', 'auth', 'limits', 'frame']],
  ['site', ['http', 'auth', 'contract', 'frame']],
  ['pages', ['http', 'auth', 'reporting', 'sharing', 'frame', 'site']],
  ['rows', ['http', 'auth', 'limits', 'reporting', 'frame', 'site', 'pages']],
  ['money', ['http', 'auth', 'limits', 'reporting', 'live', 'frame', 'site', 'pages', 'rows']],
  ['metrics', []],
];

const SERVE_ROOMS: readonly Room[] = SERVE.map(([name, above]) => ({
  name: `serve/${name}`,
  path: `src/serve/${name}/`,
  mayImport: [...[name, ...above].map((each) => `serve/${each}`), ...FROM_THE_HOUSE[name], 'foundation'],
}));

/** First match wins, so a room within a room stands before it. */
const ROOMS: readonly Room[] = [
  { name: 'figures', path: 'src/figures/', mayImport: ['figures'] },
  { name: 'focus', path: 'src/focus/', mayImport: ['focus'] },
  { name: 'signing', path: 'src/signing/', mayImport: ['signing'] },
  { name: 'database', path: 'src/database/', mayImport: ['database', 'foundation'] },
  // A load goes up these stairs: what a staged file is, the forms of files, the rows that they name, the load itself.
  {
    name: 'ledger/staging',
    path: 'src/ledger/staging/',
    mayImport: ['ledger/staging', 'database', 'foundation'],
  },
  {
    name: 'ledger/sources',
    path: 'src/ledger/sources/',
    mayImport: ['ledger/sources', 'ledger/staging', 'figures', 'foundation'],
  },
  {
    name: 'ledger/identity',
    path: 'src/ledger/identity/',
    mayImport: ['ledger/identity', 'ledger/staging', 'database', 'foundation'],
  },
  {
    name: 'ledger/load',
    path: 'src/ledger/load/',
    mayImport: [...LOADS.slice(1), 'ledger', 'database', 'foundation'],
  },
  {
    name: 'ledger/focus',
    path: 'src/ledger/focus/',
    mayImport: [...LOADS, 'ledger', 'database', 'tables', 'figures', 'focus', 'foundation'],
  },
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
    mayImport: ['format', 'parquet', 'tables', 'warehouse', 'signing', 'foundation'],
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
    name: 'builder',
    path: 'src/snapshot/builder/',
    mayImport: ['builder', 'keep', 'audit', 'spool', 'ledger', 'database', ...READ],
  },
  // Reads what is published, with the engine of the audit.
  {
    name: 'diff',
    path: 'src/diff/',
    mayImport: ['diff', 'audit', 'spool', 'format', 'read', 'store', 'tables', 'foundation'],
  },
  // What is derived from what is published, for readers that attach all of it.
  {
    name: 'lake',
    path: 'src/lake/',
    mayImport: ['lake', 'format', 'read', 'parquet', 'tables', 'foundation'],
  },
  ...SERVE_ROOMS,
  // The application over all of its rooms.
  {
    name: 'serve',
    path: 'src/serve/',
    mayImport: ['serve', ...SERVE_ROOMS.map(({ name }) => name), 'format', 'ledger', 'foundation'],
  },
  // Reads what others publish: rates as bytes, and then as rows that any ledger could take.
  { name: 'rates', path: 'src/rates/', mayImport: ['rates', 'foundation'] },
  { name: 'ops', path: 'src/ops/', mayImport: ['ops', 'database', 'foundation'] },
  // Tells receivers what was published or not: from what stands in schema `ops` and what may be read.
  {
    name: 'webhooks',
    path: 'src/webhooks/',
    mayImport: ['webhooks', 'ops', 'database', 'figures', 'format', 'read', 'store', 'foundation'],
  },
  // Copies what is published to stores of customers, as what is told lies in schema `ops`.
  {
    name: 'deliveries',
    path: 'src/deliveries/',
    mayImport: [
      'deliveries',
      'webhooks',
      'ops',
      'database',
      'spool',
      'format',
      'read',
      'store',
      'tables',
      'foundation',
    ],
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
      ...SERVE_ROOMS.map(({ name }) => name),
      'deliveries',
      'webhooks',
      'ops',
      'rates',
      'diff',
      'lake',
      'builder',
      'keep',
      'audit',
      'spool',
      'ledger',
      ...LOADS,
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
