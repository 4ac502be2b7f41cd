/** Folders of files for the loader's tests, and small accounts to put into them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Pool } from 'pg';
import { isCrossfootError } from '../../../src/errors.ts';
import type { LoadFault } from '../../../src/ledger/staging/faults.ts';
import type { LoadedTable } from '../../../src/ledger/load/write.ts';
import { type LoadRequest, load } from '../../../src/ledger/load/load.ts';

/** File names, some below a folder, with their content. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Loads the files from a folder that exists only as long as the load. */
export async function loadFiles(
  url: string,
  files: Files,
  request: Omit<LoadRequest, 'url' | 'paths' | 'mode'> & Partial<Pick<LoadRequest, 'mode'>> = {},
): Promise<Readonly<Record<string, LoadedTable>>> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-load-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    const loaded = await load({ mode: 'insert', ...request, url, paths: [folder] });
    return Object.fromEntries(loaded.map((table) => [table.table, table]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The faults that a load is refused for; none when it is not. */
export async function faultsOf(loading: Promise<unknown>): Promise<readonly LoadFault[]> {
  try {
    await loading;
    return [];
  } catch (error) {
    if (!isCrossfootError(error, 'load_rejected')) throw error;
    return error.data['faults'] as LoadFault[];
  }
}

/** Those faults as `file:line column=value`, each with its sentence apart. */
export async function placedFaults(
  loading: Promise<unknown>,
): Promise<readonly (readonly [place: string, expected: string])[]> {
  const found = await faultsOf(loading);
  return found.map(({ file, line, column, value, expected }) => [
    `${file}:${line} ${column}=${value}`,
    expected,
  ]);
}

/** One account with an owner and two initiatives: the least that costs and value can hang on. */
export function company(id: number): Files {
  return {
    'accounts.csv': `id,name,plan,plan_includes_api,app_url\n${id},Company ${id},team,true,https://app.example\n`,
    'users.csv': `id,name\n${id}1,Ada\n`,
    'memberships.csv': `account_id,id,user_id,role\n${id},1,${id}1,owner\n`,
    'initiatives.csv': `account_id,id,title,stage\n${id},1,Invoices,live\n${id},2,Support,live\n`,
  };
}

/** Writes the same company as the owner of the ledger, with the sequences behind it: a load takes many times as long. */
export async function foundCompany(owner: Pick<Pool, 'query'>, id: number): Promise<void> {
  await owner.query(`
    insert into ledger.accounts (id, name, plan, plan_includes_api, app_url)
      values (${id}, 'Company ${id}', 'team', true, 'https://app.example');
    insert into ledger.users (id, name) values (${id}1, 'Ada') on conflict do nothing;
    insert into ledger.memberships (account_id, id, user_id, role) values (${id}, 1, ${id}1, 'owner');
    insert into ledger.initiatives (account_id, id, title, stage)
      values (${id}, 1, 'Invoices', 'live'), (${id}, 2, 'Support', 'live');
    select setval('ledger.accounts_id_seq', greatest(${id}, last_value)) from ledger.accounts_id_seq;
    select setval('ledger.users_id_seq', greatest(${id}1, last_value)) from ledger.users_id_seq;
    select setval('ledger.memberships_id_seq', greatest(1, last_value)) from ledger.memberships_id_seq;
    select setval('ledger.initiatives_id_seq', greatest(2, last_value)) from ledger.initiatives_id_seq`);
}

/** Rows of cost_entries.csv in January 2024, as `id,amount` or with a period of their own. */
export function costs(
  account: number,
  ...rows: readonly (readonly [id: number, cents: number, day?: string])[]
): string {
  const lines = rows.map(
    ([id, cents, day = '2024-01-10']) => `${account},${id},1,${cents},USD,${day},manual,2024-01-15T00:00:00Z`,
  );
  return [
    'account_id,id,initiative_id,amount_cents,currency,period_start,source_type,created_at',
    ...lines,
    '',
  ].join('\n');
}

/** accounting_months.csv with the January of an account. */
export function lockedMonth(account: number, status: string): string {
  const at = '2024-02-01T00:00:00Z';
  return `account_id,id,month,status,locked_at,reopened_at,reopen_reason\n${account},1,2024-01-01,${status},${at},${at},r\n`;
}

/** Which transaction wrote each row of an account: equal before and after means that nothing was written. */
export async function writers(pool: Pool, account: number): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await pool.query<Record<string, unknown>>(`
    select 'cost ' || id as row, xmin::text, updated_at from ledger.cost_entries where account_id = ${account}
    union all select 'value ' || id, xmin::text, updated_at from ledger.value_entries where account_id = ${account}
    union all select 'initiative ' || id, xmin::text, updated_at from ledger.initiatives where account_id = ${account}
    union all select 'observation ' || id, xmin::text, updated_at from ledger.observations where account_id = ${account}
    union all select 'account ' || id, xmin::text, updated_at from ledger.accounts where id = ${account}
    order by 1`);
  return rows;
}
