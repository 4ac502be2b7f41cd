/** Adds, lists, changes and removes accounts, for the command `account`. Every function needs a session of the owner. */
import { type InferResult, type Updateable, sql } from 'kysely';
import type { Client, ClientBase } from 'pg';
import { readStatement } from '../database/columns.ts';
import { countRows, db, readFirst, readOne, readRows } from '../database/query.ts';
import type { Database } from '../database/schema.ts';
import { CrossfootError } from '../errors.ts';
import { type NewPerson, type Person, addPerson, findPerson, listPeople } from './people.ts';

export type Plan = Database['ledger.accounts']['plan'];

/** The settings of an account that may change. */
export type AccountSettings = Pick<
  Updateable<Database['ledger.accounts']>,
  | 'name'
  | 'plan'
  | 'plan_includes_api'
  | 'fiscal_year_start_month'
  | 'contribution_margin'
  | 'auto_approve_value'
  | 'companion_tables'
  | 'app_url'
>;

/** Runs `run` in a transaction: all of its changes, or none. */
export async function inTransaction<Result>(owner: Client, run: () => Promise<Result>): Promise<Result> {
  await owner.query('begin isolation level read committed');
  try {
    const result = await run();
    await owner.query('commit');
    return result;
  } catch (error) {
    // The caller gets the first error. A connection that is gone has rolled back already.
    await owner.query('rollback').catch(() => undefined);
    throw error;
  }
}

export interface NewAccount {
  readonly name: string;
  readonly plan: Plan;
  readonly plan_includes_api: boolean;
  readonly fiscal_year_start_month?: number;
  readonly app_url?: string;
  readonly owner: NewPerson;
}

export interface AddedAccount {
  readonly account_id: bigint;
  readonly owner_id: bigint;
  /** True: the ledger had a person with the e-mail address, and that person becomes the owner. */
  readonly knownOwner: boolean;
}

/** Adds an account and its first owner; throws if another account has the name. Call it in a transaction. */
export async function addAccount(
  owner: Client,
  { owner: person, ...account }: NewAccount,
): Promise<AddedAccount> {
  await requireFreeName(owner, account.name, null);
  const insert = db.insertInto('ledger.accounts').values(account).returning('id');
  const account_id = (await readOne(owner, insert)).id;
  const known = person.email === null ? null : await findPerson(owner, person.email);
  const owner_id = known ?? (await addPerson(owner, person));
  const membership = { account_id, user_id: owner_id, role: 'owner' as const };
  await countRows(owner, db.insertInto('ledger.memberships').values(membership));
  return { account_id, owner_id, knownOwner: known !== null };
}

/** Throws if another account has the name. Holds a lock until the transaction ends, so that two commands cannot both add it. */
async function requireFreeName(owner: Client, name: string, account_id: bigint | null): Promise<void> {
  await owner.query("select pg_advisory_xact_lock(hashtext('crossfoot account names'))");
  const same = db
    .selectFrom('ledger.accounts')
    .select('id')
    .where(sql`lower(service.trimmed(name))`, '=', name.toLowerCase())
    .orderBy('id')
    .limit(1);
  const found = await readFirst(owner, account_id === null ? same : same.where('id', '!=', account_id));
  if (found === null) return;
  throw new CrossfootError(
    'account_refused',
    `Account ${found.id} is named ${JSON.stringify(name)} already.`,
    {
      hint: `Choose another name, or work with account ${found.id}: npx --no crossfoot account show ${found.id}`,
    },
  );
}

const ACCOUNTS = db
  .selectFrom('ledger.accounts')
  .select((eb) => [
    'id',
    'name',
    'plan',
    'plan_includes_api',
    eb('reporting_enabled_at', 'is not', null).$castTo<boolean>().as('reporting'),
  ])
  .orderBy('id');

export type ListedAccount = Readonly<InferResult<typeof ACCOUNTS>[number]>;

/** All accounts, by ascending id. */
export async function listAccounts(owner: ClientBase): Promise<readonly ListedAccount[]> {
  return await readRows(owner, ACCOUNTS);
}

const ACCOUNT = db
  .selectFrom('ledger.accounts')
  .select(['id', 'name', 'plan', 'plan_includes_api', 'reporting_enabled_at', 'fiscal_year_start_month'])
  .select(['contribution_margin', 'auto_approve_value', 'companion_tables', 'app_url']);

const LOCKED = db
  .selectFrom('ledger.accounting_months')
  .select(sql<string>`to_char(month, 'YYYY-MM')`.as('month'))
  .where('status', '=', 'locked')
  .orderBy('month');

export type AccountDetails = Readonly<InferResult<typeof ACCOUNT>[number]> & {
  /** The people who are still in the account. */
  readonly people: readonly Person[];
  /** The locked months, `YYYY-MM`, oldest first. */
  readonly locked_months: readonly string[];
};

/** An account with its people and locked months; throws if there is no such account. */
export async function readAccount(owner: ClientBase, account_id: bigint): Promise<AccountDetails> {
  const account = await readFirst(owner, ACCOUNT.where('id', '=', account_id));
  if (account === null) throw noSuchAccount(account_id);
  const people = await listPeople(owner, account_id);
  const locked = await readRows(owner, LOCKED.where('account_id', '=', account_id));
  return { ...account, people, locked_months: locked.map(({ month }) => month) };
}

/** Changes settings of an account. Call it in a transaction. */
export async function setAccount(
  owner: Client,
  account_id: bigint,
  settings: AccountSettings,
): Promise<void> {
  if (typeof settings.name === 'string') await requireFreeName(owner, settings.name, account_id);
  const change = db.updateTable('ledger.accounts').set(settings).where('id', '=', account_id);
  if ((await countRows(owner, change)) === 0) throw noSuchAccount(account_id);
}

/** The number of rows of one table that belong to an account. */
export interface TableCount {
  readonly table: string;
  readonly rows: bigint;
}

// A person who is in another account too stays. `account_gates` and `usage_rests` are not counted: triggers write their rows, not people.
const PERSONAL = `from ledger.users u where u.id in (select user_id from ledger.memberships where account_id = $1)
  and not exists (select from ledger.memberships m where m.user_id = u.id and m.account_id <> $1)`;

/** How many rows of each table belong to the account, most first; tables without any are left out. */
export async function countAccountRows(
  owner: ClientBase,
  account_id: bigint,
): Promise<readonly TableCount[]> {
  const tables = await readStatement(owner, {
    name: 'the tables with an account',
    text: `select format('%I.%I', n.nspname, c.relname) as name from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
      where c.relkind = 'r' and n.nspname in ('ledger', 'vault', 'ops') and c.relname not in ('account_gates', 'usage_rests') order by 1`,
    columns: { name: 'text' },
  });
  const counts = tables.map(({ name }) => `select '${name}', count(*) from ${name} where account_id = $1`);
  return await readStatement(owner, {
    name: 'the rows of an account',
    text: `select "table", "rows" from (
      select 'ledger.accounts' as "table", count(*) as "rows" from ledger.accounts where id = $1
      union all select 'ledger.users', count(*) ${PERSONAL}
      union all select 'vault.user_emails', count(*) from vault.user_emails where user_id in (select u.id ${PERSONAL})
      union all ${counts.join(' union all ')}) as counted
      where "rows" > 0 order by "rows" desc, "table"`,
    values: [account_id],
    columns: { table: 'text', rows: 'int8' },
  });
}

/**
 * Removes an account, all rows that belong to it, and the people who are in no other account. Call it in a transaction.
 * The schema's guards of locked months let a whole account go, so the locked months are checked here.
 */
export async function removeAccount(
  owner: Client,
  account_id: bigint,
  { withLocked }: { readonly withLocked: boolean },
): Promise<readonly TableCount[]> {
  const gate = db.selectFrom('ledger.account_gates').select('closes').where('account_id', '=', account_id);
  // Lock the gate row, so that no session can close a month between the check of locked months and the removal.
  if ((await readFirst(owner, gate.forUpdate())) === null) throw noSuchAccount(account_id);
  const { name, locked_months } = await readAccount(owner, account_id);
  if (locked_months.length > 0 && !withLocked) throw lockedAccount(account_id, name, locked_months);
  const counts = await countAccountRows(owner, account_id);
  await owner.query("select set_config('app.account_id', $1, true)", [account_id]);
  await owner.query('set constraints all deferred');
  const people = await readStatement(owner, {
    name: 'the people of one account only',
    text: `select u.id ${PERSONAL}`,
    values: [account_id],
    columns: { id: 'int8' },
  });
  // Foreign keys delete all rows of the account too. The guards of locked months allow this, because the account is gone by then.
  await countRows(owner, db.deleteFrom('ledger.accounts').where('id', '=', account_id));
  for (const { id } of people) await countRows(owner, db.deleteFrom('ledger.users').where('id', '=', id));
  return counts;
}

function lockedAccount(account_id: bigint, name: string, months: readonly string[]): CrossfootError {
  const which = months.length === 1 ? months[0] : `${months[0]} to ${months.at(-1)}`;
  const count = months.length === 1 ? '1 locked month' : `${months.length} locked months`;
  return new CrossfootError(
    'account_refused',
    `Account ${account_id}, ${JSON.stringify(name)}, has ${count}: ${which}. Nothing was removed.`,
    { hint: 'Add --locked to remove the locked months too. --dry-run shows the rows of every table.' },
  );
}

function noSuchAccount(account_id: bigint): CrossfootError {
  return new CrossfootError('not_found', `There is no account ${account_id} in this ledger.`, {
    hint: 'npx --no crossfoot account list shows the accounts.',
  });
}
