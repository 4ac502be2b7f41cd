/** The statements that bring a file's rows into the ledger's table, and tell what it has beyond them. */
import { sql } from 'kysely';
import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { db, readOne } from '../../database/query.ts';
import { type LoadTable, accountColumn, tableName } from './catalogue.ts';
import { askRows } from './checks.ts';
import type { LoadFaults } from './faults.ts';
import { yieldsToLedger } from './kept.ts';
import { applyByLine } from './lines.ts';
import { sameKey } from './rows.ts';
import type { StagedFile } from './stage.ts';

const SHOWN_KEYS = 5;

/** Rows to write: all of a file, or the part that an SQL condition on `r` names. */
export interface MergePart {
  readonly staged: StagedFile;
  readonly only?: string;
}

/** Writes the rows whose given columns differ from the ledger's; the others are not touched. */
export async function updateChanged(client: Client, part: MergePart, faults: LoadFaults): Promise<number> {
  const { staged, only = 'true' } = part;
  const changing = changeable(staged);
  if (changing.length === 0 || staged.table.immutable) return 0;
  const list = (alias: string): string => changing.map((name) => `${alias}.${name}`).join(', ');
  const update = `update ${tableName(staged.table)} t set (${changing.join(', ')}) = row(${list('r')})
    from ${staged.rows} r
    where ${sameKey(staged.table, 't', 'r')} and r._line between $1 and $2 and ${only}
      and row(${list('t')}) is distinct from row(${list('r')})`;
  return applyByLine(client, staged, faults, (from, through) => client.query(update, [from, through]));
}

/** Writes the rows whose key was not in the ledger, and moves the table's sequence past them. */
export async function insertNew(client: Client, part: MergePart, faults: LoadFaults): Promise<number> {
  const { staged, only = 'true' } = part;
  const names = staged.given.map((column) => escapeIdentifier(column.name)).join(', ');
  const insert = `insert into ${tableName(staged.table)} (${names})
    select ${names} from ${staged.rows} r
    where not r._known and r._line between $1 and $2 and ${only}
    order by r._line`;
  const inserted = await applyByLine(client, staged, faults, (from, through) =>
    client.query(insert, [from, through]),
  );
  if (inserted > 0) await moveSequence(client, staged);
  return inserted;
}

/** Notes the rows of a table that is never changed which differ from what was written once. */
export async function refuseChanged(client: Client, staged: StagedFile, faults: LoadFaults): Promise<void> {
  for (const name of changeable(staged)) {
    await askRows(client, staged, faults, {
      columns: [staged.given.find((column) => escapeIdentifier(column.name) === name)?.name ?? name],
      join: `join ${tableName(staged.table)} t on ${sameKey(staged.table, 't', 'r')}`,
      wrong: `r._known and r.${name} is distinct from t.${name}`,
      expected: `concat('what was written once and is never changed: ', t.${name})`,
    });
  }
}

/** Rows of the ledger that a file does not have; all rows of the accounts where there is no file. */
export interface Missing {
  readonly table: LoadTable;
  readonly staged: StagedFile | undefined;
  /** Null: in every account, of a table that has none. */
  readonly accounts: readonly bigint[] | null;
}

/** Deletes them and returns how many went. */
export async function deleteMissing(client: Client, missing: Missing): Promise<number> {
  const { rowCount } = await client.query(
    `delete from ${tableName(missing.table)} t where ${isMissing(missing)}`,
  );
  return rowCount ?? 0;
}

/** Counts them and shows the first keys. */
export async function countMissing(
  client: Client,
  missing: Missing,
): Promise<{ readonly count: number; readonly keys: readonly string[] }> {
  const key = missing.table.key.map((name) => `t.${escapeIdentifier(name)}`).join(', ');
  const from = `from ${tableName(missing.table)} t where ${isMissing(missing)}`;
  const [found] = await readStatement(client, {
    name: missing.table.name,
    text: `select (select count(*)::int ${from}) as count,
       array(select concat_ws('/', ${key}) ${from} order by ${key} limit ${SHOWN_KEYS}) as keys`,
    columns: { count: 'int4', keys: 'text[]' },
  });
  return found ?? { count: 0, keys: [] };
}

/** The accounts that the rows of a file belong to. */
export async function accountsOf(client: Client, staged: StagedFile): Promise<readonly bigint[]> {
  const column = accountColumn(staged.table);
  if (column === null) return [];
  const rows = await readStatement(client, {
    name: staged.file,
    text: `select distinct ${escapeIdentifier(column)} as account from ${staged.rows} where ${escapeIdentifier(column)} is not null order by 1`,
    columns: { account: 'int8' },
  });
  return rows.map((row) => row.account);
}

function changeable({ given, table }: StagedFile): readonly string[] {
  return given
    .filter((column) => !table.key.includes(column.name) && !yieldsToLedger(table, column))
    .map((column) => escapeIdentifier(column.name));
}

function isMissing({ table, staged, accounts }: Missing): string {
  const account = accountColumn(table);
  return [
    ...(accounts === null || account === null
      ? []
      : [`t.${escapeIdentifier(account)} = any (array[${accounts.join(', ')}]::bigint[])`]),
    ...(staged === undefined
      ? []
      : [`not exists (select from ${staged.rows} r where ${sameKey(table, 't', 'r')})`]),
    // A cost entry makes the vendor it names: such a vendor is no file's to miss while an entry names it.
    ...(table.name === 'vendors'
      ? [
          `not exists (select from ledger.cost_entries c where c.account_id = t.account_id
             and (c.vendor_id = t.id or lower(btrim(c.vendor_name)) = t.name_key))`,
        ]
      : []),
    'true',
  ].join(' and ');
}

async function moveSequence(client: Client, { table, rows }: StagedFile): Promise<void> {
  const identity = table.columns.find((column) => column.identity);
  if (identity === undefined) return;
  const serial = sql<string>`pg_get_serial_sequence(${tableName(table)}, ${identity.name})`;
  const { sequence } = await readOne(client, db.selectNoFrom(serial.as('sequence')));
  // Never back: ids that were given out and deleted again stay used.
  await client.query(
    `select setval($1::regclass, greatest((select max(${escapeIdentifier(identity.name)}) from ${rows}), (select last_value from ${sequence})))`,
    [sequence],
  );
}
