/** What a build and a command need to know of accounts. */
import type { ClientBase, Pool } from 'pg';
import { CrossfootError } from '../errors.ts';

/** The accounts that have reporting tables switched on and a plan with API access, by ascending id. */
export async function readReportingAccounts(reader: ClientBase | Pool): Promise<readonly bigint[]> {
  const { rows } = await reader.query<{ id: bigint }>('select service.reporting_accounts() as id');
  return rows.map(({ id }) => id);
}

/** True for one of them. */
export async function isReporting(reader: ClientBase | Pool, account_id: bigint): Promise<boolean> {
  const { rowCount } = await reader.query('select from service.reporting_accounts() as id where id = $1', [
    account_id,
  ]);
  return rowCount === 1;
}

/** Refuses an account that is not one of them, or not any longer. */
export async function requireReporting(reader: ClientBase, account_id: bigint): Promise<void> {
  if (await isReporting(reader, account_id)) return;
  throw new CrossfootError(
    'reporting_off',
    `Account ${account_id} does not report: that is switched off, or its plan is without API access.`,
    { hint: `\`crossfoot reporting on --account ${account_id}\` switches it on.` },
  );
}

/** True once the ledger has any account; asked as the owner, who sees all. */
export async function holdsAccounts(owner: ClientBase): Promise<boolean> {
  return (await owner.query('select from ledger.accounts limit 1')).rowCount === 1;
}

/** The month, 1 to 12, in which the account's fiscal year starts; asked inside the account's own transaction. */
export async function readFiscalYearStart(client: ClientBase, account_id: bigint): Promise<number> {
  const { rows } = await client.query<{ fiscal_year_start_month: number }>(
    'select fiscal_year_start_month from ledger.accounts where id = $1',
    [account_id],
  );
  const [account] = rows;
  if (account === undefined) throw noAccount(account_id);
  return account.fiscal_year_start_month;
}

/** Refuses an account that is not in the ledger; asked as the owner, who sees all, or inside the account's own moment. */
export async function requireAccount(owner: ClientBase, account_id: bigint): Promise<void> {
  const found = await owner.query('select from ledger.accounts where id = $1', [account_id]);
  if (found.rowCount === 0) throw noAccount(account_id);
}

/** Refuses a person who may not decide for the account: only an owner or admin still in it may. */
export async function requireManager(owner: ClientBase, account_id: bigint, userId: bigint): Promise<void> {
  const found = await owner.query(
    `select from ledger.memberships
     where account_id = $1 and user_id = $2 and role in ('owner', 'admin') and removed_at is null`,
    [account_id, userId],
  );
  if (found.rowCount === 0) {
    throw new CrossfootError(
      'member_refused',
      `Person ${userId} is no owner or admin of account ${account_id}, or has left it.`,
      { hint: 'Name an owner or admin who is still in the account.' },
    );
  }
}

export interface ReportingSwitch {
  /** Since when, in microseconds since 1970; null while it is off. */
  readonly enabled_at: bigint | null;
  /** False: no snapshot is built, whatever the switch says. */
  readonly plan_includes_api: boolean;
}

/** Switches the account's reporting tables on, keeping since when and by whom if they are on already, or off. */
export async function switchReporting(
  owner: ClientBase,
  account_id: bigint,
  wanted: { readonly on: boolean; readonly by: bigint | null },
): Promise<ReportingSwitch> {
  // In one statement: the old values decide the new ones, also beside another who switches.
  const { rows } = await owner.query<ReportingSwitch>(
    `update ledger.accounts set
       reporting_enabled_at = case when $2::boolean then coalesce(reporting_enabled_at, clock_timestamp()) end,
       reporting_enabled_by_id = case
         when not $2::boolean then null
         when reporting_enabled_at is null then $3::bigint
         else reporting_enabled_by_id
       end
     where id = $1 returning reporting_enabled_at as enabled_at, plan_includes_api`,
    [account_id, wanted.on, wanted.by],
  );
  const [account] = rows;
  if (account === undefined) throw noAccount(account_id);
  return account;
}

function noAccount(account_id: bigint): CrossfootError {
  return new CrossfootError('not_found', `There is no account ${account_id} in this ledger.`);
}
