/** The statements that write a file's rows into the ledger's table, and find rows that the file does not have. */
import { sql } from 'kysely';
import type { Client } from 'pg';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { db, readOne } from '../../database/query.ts';
import { addVendors, lookedUp } from '../identity/vendors.ts';
import { accountColumn, tableName } from '../staging/catalogue.ts';
import type { LoadTable } from '../staging/load-table.ts';
import { askRows } from './checks.ts';
import type { LoadFaults } from '../staging/faults.ts';
import { yieldsToLedger } from './verify-written.ts';
import { applyByLine } from '../staging/bisect-refusals.ts';
import { sameKey } from './rows.ts';
import type { StagedFile } from '../staging/staged-file.ts';

const SHOWN_KEYS = 5;

/** Rows to write: all of a file, or those that an SQL condition on `r` selects. */
export interface MergePart {
  readonly staged: StagedFile;
  readonly only?: string;
}

/** Updates the rows whose columns in the file differ from the ledger's, and no others. */
export async function updateChanged(client: Client, part: MergePart, faults: LoadFaults): Promise<number> {
  const { staged, only = 'true' } = part;
  const changing = changeable(staged);
  if (changing.length === 0 || staged.table.immutable) return 0;
  const list = (alias: string): string => changing.map((name) => `${alias}.${name}`).join(', ');
  const update = `update ${tableName(staged.table)} t set (${changing.join(', ')}) = row(${list('r')})
    from ${staged.rows} r
    where r._known and ${sameKey(staged.table, 't', 'r')} and r._line between $1 and $2 and ${only}
      and row(${list('t')}) is distinct from row(${list('r')})`;
  return applyByLine(client, staged, faults, (from, through) => client.query(update, [from, through]));
}

/** Inserts the rows whose key is not in the ledger, and moves the table's sequence past them. */
export async function insertNew(client: Client, part: MergePart, faults: LoadFaults): Promise<number> {
  const { staged, only = 'true' } = part;
  const { table, rows } = staged;
  const found = lookedUp(table);
  if (found !== null) await addVendors(client, rows, only);
  // Completed as the checks saw them: the triggers that completed them have nothing to do again.
  const columns = table.columns.filter(({ generated }) => generated === null).map(({ name }) => name);
  const values = columns.map((name) =>
    name === found?.column ? found.value : `r.${escapeIdentifier(name)}`,
  );
  const insert = `insert into ${tableName(table)} (${columns.map((name) => escapeIdentifier(name)).join(', ')})
    select ${values.join(', ')} from ${rows} r ${found?.join ?? ''}
    where not r._known and r._line between $1 and $2 and ${only}
    order by r._line`;
  const inserted = await applyByLine(client, staged, faults, (from, through) =>
    client.query(insert, [from, through]),
  );
  if (inserted > 0) await moveSequence(client, staged);
  return inserted;
}

/** For a table whose rows never change, adds a fault for each row that differs from the ledger's. */
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

/** Rows of the ledger that are missing from a file; all rows of the accounts if there is no file. */
export interface Missing {
  readonly table: LoadTable;
  readonly staged: StagedFile | undefined;
  /** Null for a table without accounts. */
  readonly accounts: readonly bigint[] | null;
  /** The only source whose rows can be missing; null for all rows. */
  readonly source: string | null;
}

/** Deletes the missing rows and returns their number. */
export async function deleteMissing(client: Client, missing: Missing): Promise<number> {
  const { rowCount } = await client.query(
    `delete from ${tableName(missing.table)} t where ${isMissing(missing)}`,
  );
  return rowCount ?? 0;
}

/** Counts the missing rows and returns the first keys. */
export async function countMissing(
  client: Client,
  missing: Missing,
): Promise<{ readonly count: number; readonly keys: readonly string[] }> {
  const shown = missing.source === null ? missing.table.key : ['load_ref'];
  const key = shown.map((name) => `t.${escapeIdentifier(name)}`).join(', ');
  const from = `from ${tableName(missing.table)} t where ${isMissing(missing)}`;
  const [counted] = await readStatement(client, {
    name: missing.table.name,
    text: `select count(*)::int as count ${from}`,
    columns: { count: 'int4' },
  });
  if (counted === undefined || counted.count === 0) return { count: 0, keys: [] };
  const shownKeys = await readStatement(client, {
    name: missing.table.name,
    text: `select concat_ws('/', ${key}) as key ${from} order by ${key} limit ${SHOWN_KEYS}`,
    columns: { key: 'text' },
  });
  return { count: counted.count, keys: shownKeys.map((row) => row.key) };
}

/** The accounts of a file's rows. */
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

function changeable({ given, table, source }: StagedFile): readonly string[] {
  // The name of a row in its source is a key, too: another row is never given it.
  const key = source === null ? table.key : [...table.key, 'load_source', 'load_ref'];
  return given
    .filter((column) => !key.includes(column.name) && !yieldsToLedger(table, column))
    .map((column) => escapeIdentifier(column.name));
}

/** SQL that is true if the row `t` of the ledger is missing. */
export function isMissing({ table, staged, accounts, source }: Missing): string {
  const account = accountColumn(table);
  return [
    ...(source === null ? [] : [`t.load_source = ${escapeLiteral(source)}`]),
    ...(accounts === null || account === null
      ? []
      : [`t.${escapeIdentifier(account)} = any (array[${accounts.join(', ')}]::bigint[])`]),
    ...(staged === undefined
      ? []
      : [`not exists (select from ${staged.rows} r where ${sameKey(table, 't', 'r')})`]),
    // A cost entry creates its vendor, so a vendor with entries does not count as missing from a file.
    ...(table.name === 'vendors'
      ? [
          `not exists (select from ledger.cost_entries c where c.account_id = t.account_id
             and (c.vendor_id = t.id or service.name_key(c.vendor_name) = t.name_key))`,
        ]
      : []),
    // The load itself records the approval of a value entry. The decision stays as long as its entry.
    ...(table.name === 'approval_decisions'
      ? [
          `not (t.source = 'import' and t.subject_kind = 'value_entry' and exists (
             select from ledger.value_entries v where v.account_id = t.account_id and v.id = t.subject_id))`,
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
  // Never move the sequence back: ids of deleted rows must not be used again.
  await client.query(
    `select setval($1::regclass, greatest((select max(${escapeIdentifier(identity.name)}) from ${rows}), (select last_value from ${sequence})))`,
    [sequence],
  );
}
