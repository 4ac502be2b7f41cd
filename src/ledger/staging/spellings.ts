/** How a file may name a row without its integer id: the row itself, and rows of other tables that it refers to. */
import type { LoadColumn, LoadReference, LoadTable, Spelling } from './load-table.ts';

/** The column in which a file gives each row a name of its own. */
export const SOURCE_REF = 'source_ref';

/** The meaning of the column `source_ref`. */
const OWN_NAME = 'A name of your own for the row, by which a later load finds it again';

/** The source of the rows of a load, unless `--source` names another. */
export const DEFAULT_SOURCE = 'file';

interface Name {
  readonly target: string;
  readonly by: string;
  /** What follows the name of the reference in the file's column: `initiative`, `initiative_title`. */
  readonly suffixes: readonly string[];
  readonly loose: boolean;
  readonly meaning: string;
}

// The tables whose rows have a name that people know.
const NAMES: readonly Name[] = [
  {
    target: 'ledger.initiatives',
    by: 'title',
    suffixes: ['', '_title'],
    loose: true,
    meaning: 'the title of exactly one initiative of the account',
  },
  {
    target: 'ledger.vendors',
    by: 'name',
    suffixes: ['', '_name'],
    loose: true,
    meaning: 'the name of a vendor of the account',
  },
  {
    target: 'ledger.connections',
    by: 'name',
    suffixes: ['', '_name'],
    loose: true,
    meaning: 'the name of exactly one connection of the account',
  },
  {
    target: 'ledger.metrics',
    by: 'metric_key',
    suffixes: ['_key'],
    loose: false,
    meaning: 'the metric_key of a metric of the account',
  },
  {
    target: 'ledger.formulas',
    by: 'formula_key',
    suffixes: ['_key'],
    loose: false,
    meaning: 'the formula_key of a formula of the account',
  },
  {
    target: 'ledger.initiative_templates',
    by: 'key',
    suffixes: ['_key'],
    loose: false,
    meaning: 'the key of an initiative template',
  },
];

const PEOPLE = ['ledger.memberships', 'ledger.users'];

// Columns of a file of value entries that the table does not have: the load writes them to the approval that it records.
const APPROVED_BY: readonly Spelling[] = ['approved_by', 'approved_by_email'].map((name) => ({
  ...person(name, 'approved_by_id', 'ledger.memberships'),
  meaning:
    'the e-mail address of the person who approved the value; the first owner of the account if it is empty',
}));
const APPROVED_AT: LoadColumn = {
  ...textColumn('approved_at', 'When the value was approved; the moment of the load when left out'),
  type: 'ledger.instant',
  base: 'timestamp with time zone',
};

/** The names of a table and of its columns: all that the committed description of the ledger has. */
interface Named {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
}

/** True if a file of the table may name its rows by `source_ref`, without an id. */
export function hasLoadRef(table: Pick<Named, 'columns'>): boolean {
  return table.columns.some(({ name }) => name === 'load_ref');
}

/** The spellings of a table's references, from its foreign keys; none for a table without accounts. */
export function spellingsOf(
  table: Named & Pick<LoadTable, 'references'>,
  tables: readonly Named[],
): readonly Spelling[] {
  const own = new Set(table.columns.map(({ name }) => name));
  if (!own.has('account_id')) return [];
  const withRef = new Set(tables.filter(hasLoadRef).map(({ schema, name }) => `${schema}.${name}`));
  const found = table.references.flatMap((reference) => spellingsOfReference(reference, withRef));
  const all = table.name === 'value_entries' ? [...found, ...APPROVED_BY] : found;
  // A column of the table itself wins: vendor_name of a cost is the name as it was recorded.
  return all.filter(({ name }) => !own.has(name));
}

function spellingsOfReference(
  { columns, target }: LoadReference,
  withRef: ReadonlySet<string>,
): readonly Spelling[] {
  const [column, ...others] = columns.filter((each) => each !== 'account_id');
  const base = column?.replace(/_id$/, '');
  if (column === undefined || base === undefined || base === column || others.length > 0) return [];
  if (PEOPLE.includes(target)) return [person(`${base}_email`, column, target)];
  const names = NAMES.filter((name) => name.target === target).flatMap(({ suffixes, ...name }) =>
    suffixes.map((suffix) => ({ ...name, name: `${base}${suffix}`, column })),
  );
  if (!withRef.has(target)) return names;
  const meaning = `the ${SOURCE_REF} of a row of ${target.split('.')[1]} from the same source`;
  return [{ name: `${base}_ref`, column, target, by: 'load_ref', loose: false, meaning }, ...names];
}

/** Every column that a file of the table may have: those of the table, and those that name rows. */
export function fileColumns(table: LoadTable): readonly LoadColumn[] {
  const own = new Set(table.columns.map(({ name }) => name));
  return [
    ...table.columns,
    ...(hasLoadRef(table) && !own.has(SOURCE_REF) ? [textColumn(SOURCE_REF, OWN_NAME)] : []),
    ...table.spellings.map(({ name, meaning }) => textColumn(name, meaning)),
    ...(table.name === 'value_entries' ? [APPROVED_AT] : []),
  ];
}

function person(name: string, column: string, target: string): Spelling {
  const known = target === 'ledger.memberships' ? 'a person of the account' : 'a person in user_emails';
  return { name, column, target, by: 'email', loose: true, meaning: `the e-mail address of ${known}` };
}

function textColumn(name: string, meaning: string): LoadColumn {
  return {
    name,
    type: 'text',
    base: 'text',
    rule: null,
    rule_in_words: null,
    notNull: false,
    default: null,
    generated: null,
    identity: false,
    json: false,
    meaning,
  };
}
