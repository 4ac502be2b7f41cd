/** Makes a seeded account larger by copies of its drawn rows, which takes a fourth of the time of drawing as many. */
import type { Client } from 'pg';
import { readStatement } from '../../src/database/columns.ts';
import { putAside } from './put-aside.ts';

/**
 * The copied tables: initiatives, bills, and what belongs to one. People, vendors, connections, metrics, formulas and months
 * are shared by all copies. So are the readings that the frozen inputs of a value entry name.
 */
export const COPIED_TABLES: readonly string[] = [
  'initiatives',
  'initiative_approvers',
  'initiative_notes',
  'assessments',
  'implementations',
  'recurring_costs',
  'documents',
  'time_studies',
  'observations',
  'provider_bills',
  'vendor_bills',
  'card_charges',
  'ai_spend_links',
  'bill_shares',
  'shared_bills',
  'allocation_lines',
  'charters',
  'approval_decisions',
  'portfolio_decisions',
  'budget_versions',
  'cost_entries',
  'value_entries',
  'document_citations',
];

/** The table of a decision's `subject_id`, by `subject_kind`. A charter is named by its initiative. */
const SUBJECTS: Readonly<Record<string, string>> = {
  initiative: 'initiatives',
  charter: 'initiatives',
  budget: 'budget_versions',
  value_entry: 'value_entries',
};

/** Texts that get the number of their copy, so that a person can tell the rows apart. */
const NAMES = new Set(['title', 'subject_title', 'source_ref', 'external_ref']);

// After so many rows, the progress is reported.
const REPORTED_ROWS = 100_000;

const COLUMNS = {
  name: 'columns to copy',
  text: `
    select c.relname::text as table, a.attname::text as column, (
      select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.conkey[2] = a.attnum) as refers_to
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.oid = any ($1::regclass[]) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.attname <> 'account_id'`,
  columns: { table: 'text', column: 'text', refers_to: 'text?' },
} as const;

/**
 * Copies the account's rows until there are `times` as many; the ids of each copy follow those of the one before. Runs in the
 * owner's transaction, with triggers off: the rows have what triggers would fill in.
 */
export async function copyAccount(
  owner: Client,
  account: bigint,
  times: number,
  say: (line: string) => void,
): Promise<void> {
  // The triggers of this update stamp a row and note a change. So readers of changes wait for the copies, and servers read the
  // account's figures again.
  await owner.query('update ledger.initiatives set title = title where account_id = $1 and id = 1', [
    account,
  ]);
  const names = COPIED_TABLES.map((table) => `ledger.${table}`);
  const columns = await readStatement(owner, { ...COLUMNS, values: [names] });
  const lastIds = new Map<string, bigint>();
  for (const table of COPIED_TABLES) lastIds.set(table, await lastId(owner, account, table));
  const again = await putAside(owner, COPIED_TABLES);
  // Each copy reads the drawn rows by their ids. Without statistics, a plan would read the copies made so far, too.
  await owner.query('set local enable_seqscan = off');
  for (const table of COPIED_TABLES) {
    const own = columns.filter((column) => column.table === table);
    const copy = `
      insert into ledger.${table} (account_id, ${own.map(({ column }) => column).join(', ')})
      select account_id, ${own.map((column) => valueInCopy(column, lastIds)).join(', ')}
      from ledger.${table}, (select $2::bigint as copy) as numbered
      where account_id = $1 and id <= ${lastIds.get(table)}`;
    let unreported = 0;
    for (let number = 1; number < times; number++) {
      unreported += (await owner.query(copy, [account, number])).rowCount ?? 0;
      if (unreported < REPORTED_ROWS && number + 1 < times) continue;
      say(`${table}: ${unreported} rows`);
      unreported = 0;
    }
    await owner.query(`analyze ledger.${table}`);
  }
  await owner.query('set local enable_seqscan = on');
  say('indexes and foreign keys of the copies');
  for (const statement of again) await owner.query(statement);
}

async function lastId(owner: Client, account: bigint, table: string): Promise<bigint> {
  const [found] = await readStatement(owner, {
    name: 'last id',
    text: `select coalesce(max(id), 0) as id from ledger.${table} where account_id = $1`,
    values: [account],
    columns: { id: 'int8' },
  });
  return found?.id ?? 0n;
}

/** SQL of a column's value in a copy. Ids of copied rows are moved behind those of the copy before. */
function valueInCopy(
  {
    table,
    column,
    refers_to,
  }: { readonly table: string; readonly column: string; readonly refers_to: string | null },
  lastIds: ReadonlyMap<string, bigint>,
): string {
  if (column === 'updated_at') return 'clock_timestamp()';
  if (NAMES.has(column)) return `${column} || ' (' || copy || ')'`;
  if (column === 'subject_id') {
    const kinds = Object.entries(SUBJECTS).map(
      ([kind, subject]) => `when '${kind}' then ${lastIds.get(subject)}`,
    );
    return `subject_id + copy * case subject_kind ${kinds.join(' ')} end`;
  }
  const moved = lastIds.get(column === 'id' ? table : (refers_to ?? ''));
  return moved === undefined ? column : `${column} + copy * ${moved}`;
}
