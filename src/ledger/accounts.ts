/** Queries about accounts, for builds and commands. */
import { sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { readStatement } from '../database/columns.ts';
import { call, countRows, db, readFirst, readRows } from '../database/query.ts';
import { CrossfootError } from '../errors.ts';
import type { FileSet } from '../tables/file-set.ts';
import type { Instant } from '../instant.ts';

const REPORTING = db
  .selectFrom(
    call('service.reporting_accounts')
      .$castTo<{ id: bigint }>()
      .as<'account'>(sql`account (id)`),
  )
  .select('id');

/** The accounts that have reporting tables switched on and a plan with API access, by ascending id. */
export async function readReportingAccounts(reader: ClientBase | Pool): Promise<readonly bigint[]> {
  return (await readRows(reader, REPORTING)).map(({ id }) => id);
}

/** True if the account is one of `readReportingAccounts`. */
export async function isReporting(reader: ClientBase | Pool, account_id: bigint): Promise<boolean> {
  return (await countRows(reader, REPORTING.where('id', '=', account_id))) === 1;
}

/** Throws `reporting_off` unless the account is one of `readReportingAccounts` now. */
export async function requireReporting(reader: ClientBase, account_id: bigint): Promise<void> {
  if (await isReporting(reader, account_id)) return;
  throw new CrossfootError(
    'reporting_off',
    `Account ${account_id} does not report: that is switched off, or its plan is without API access.`,
    { hint: `\`npx --no crossfoot reporting on --account ${account_id}\` switches it on.` },
  );
}

/** True if the ledger has any account. The connection must be the owner's, which sees all accounts. */
export async function holdsAccounts(owner: ClientBase): Promise<boolean> {
  return (await countRows(owner, db.selectFrom('ledger.accounts').select('id').limit(1))) === 1;
}

/** The identity of an account of the demo: a person may rename it. */
export interface KnownAccount {
  readonly id: bigint;
  readonly created_at: string;
}

/** True if the ledger has an account besides these. The connection must be the owner's. */
export async function holdsOtherAccounts(
  owner: ClientBase,
  known: readonly KnownAccount[],
): Promise<boolean> {
  const [found] = await readStatement(owner, {
    name: 'other accounts',
    text: `
      select exists (
        select from ledger.accounts a
        where not exists (
          select from unnest($1::bigint[], $2::timestamptz[]) as k (id, created_at)
          where k.id = a.id and k.created_at = a.created_at)
      ) as others`,
    values: [known.map(({ id }) => id), known.map(({ created_at }) => created_at)],
    columns: { others: 'bool' },
  });
  return found?.others === true;
}

/** The month, 1 to 12, in which the account's fiscal year starts. Call it inside the account's own transaction. */
export async function readFiscalYearStart(client: ClientBase, account_id: bigint): Promise<number> {
  const account = await readFirst(client, ofAccount(account_id).select('fiscal_year_start_month'));
  if (account === null) throw noAccount(account_id);
  return account.fiscal_year_start_month;
}

/** Throws if the account does not exist. Call it as the owner, who sees all, or inside the account's own moment. */
export async function requireAccount(owner: ClientBase, account_id: bigint): Promise<void> {
  if ((await countRows(owner, ofAccount(account_id).select('id'))) === 0) throw noAccount(account_id);
}

/** Throws unless the person is an owner or admin of the account now. */
export async function requireManager(owner: ClientBase, account_id: bigint, user_id: bigint): Promise<void> {
  if ((await countRows(owner, managersOf(account_id).where('user_id', '=', user_id))) === 0) {
    throw new CrossfootError(
      'member_refused',
      `Person ${user_id} is not an owner or admin of account ${account_id}, or has left the account.`,
      { hint: 'Name an owner or admin who is still in the account.' },
    );
  }
}

/** The name of the account; throws if there is no such account. */
export async function readAccountName(client: ClientBase, account_id: bigint): Promise<string> {
  const account = await readFirst(client, ofAccount(account_id).select('name'));
  if (account === null) throw noAccount(account_id);
  return account.name;
}

/** Whether the account has this set of files switched on. */
export async function isSwitchedOn(
  client: ClientBase,
  account_id: bigint,
  column: NonNullable<FileSet['switch']>,
): Promise<boolean> {
  const account = await readFirst(client, ofAccount(account_id).select(column));
  return account?.[column] === true;
}

export interface ReportingSwitch {
  /** When it was switched on; null while it is off. */
  readonly enabled_at: Instant | null;
  /** False: no snapshot is built, even if the switch is on. */
  readonly plan_includes_api: boolean;
}

/** Switches the account's reporting tables on or off. If they are on already, the earlier time and person stay. */
export async function switchReporting(
  owner: ClientBase,
  account_id: bigint,
  { on, by }: { readonly on: boolean; readonly by: bigint | null },
): Promise<ReportingSwitch> {
  // One statement: the new values depend on the old ones, and another session may switch at the same time.
  const switched = db
    .updateTable('ledger.accounts')
    .set((eb) =>
      on
        ? {
            reporting_enabled_at: eb.fn.coalesce('reporting_enabled_at', sql<bigint>`clock_timestamp()`),
            reporting_enabled_by_id: eb
              .case()
              .when('reporting_enabled_at', 'is', null)
              .then(eb.cast<bigint | null>(eb.val(by), 'int8'))
              .else(eb.ref('reporting_enabled_by_id'))
              .end(),
          }
        : { reporting_enabled_at: null, reporting_enabled_by_id: null },
    )
    .where('id', '=', account_id)
    .returning(['reporting_enabled_at as enabled_at', 'plan_includes_api']);
  const account = await readFirst(owner, switched);
  if (account === null) throw noAccount(account_id);
  return account;
}

function ofAccount(account_id: bigint) {
  return db.selectFrom('ledger.accounts').where('id', '=', account_id);
}

/** The owners and admins still in the account. */
export function managersOf(account_id: bigint) {
  return db
    .selectFrom('ledger.memberships')
    .select('user_id')
    .where('account_id', '=', account_id)
    .where('role', 'in', ['owner', 'admin'])
    .where('removed_at', 'is', null);
}

function noAccount(account_id: bigint): CrossfootError {
  return new CrossfootError('not_found', `There is no account ${account_id} in this ledger.`);
}
