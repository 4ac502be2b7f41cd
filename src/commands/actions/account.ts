/** The actions of `crossfoot account`, over one connection as the owner. */
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { shownCount, shownInstant } from '../../format.ts';
import {
  type AccountDetails,
  type AccountSettings,
  type Plan,
  type TableCount,
  addAccount,
  countAccountRows,
  inTransaction,
  listAccounts,
  readAccount,
  removeAccount,
  setAccount,
} from '../../ledger/account-records.ts';
import { switchReporting } from '../../ledger/accounts.ts';
import { insertToken } from '../../ledger/tokens.ts';
import type { CommandContext } from '../../run/context.ts';
import { makeToken, tokenMarks } from '../../serve/auth/token.ts';
import { formatInstant } from '../../time.ts';
import { aligned } from '../terminal/aligned.ts';
import { printJson } from '../terminal/print-json.ts';
import { printList } from '../terminal/print-list.ts';

const TOKEN_BYTES = 32;

export interface AddOptions {
  readonly fiscalYearStart?: number;
  readonly appUrl?: string;
  readonly plan: Plan;
  readonly apiAccess: boolean;
  readonly ownerName?: string;
  readonly ownerEmail?: string;
}

export interface SetOptions {
  readonly name?: string;
  readonly plan?: Plan;
  readonly apiAccess?: boolean;
  readonly fiscalYearStart?: number;
  readonly contributionMargin?: string;
  readonly autoApproveValue?: boolean;
  readonly companionTables?: boolean;
  /** False removes the address: links then begin with the setting APP_URL. */
  readonly appUrl?: string | false;
}

export interface RemoveOptions {
  readonly dryRun: boolean;
  readonly locked: boolean;
}

/** Adds an account in one transaction, and prints the token of its first owner. */
export async function add(
  owner: Client,
  name: string,
  { plan, apiAccess, fiscalYearStart, appUrl, ownerName = 'Owner', ownerEmail }: AddOptions,
  { print, say }: CommandContext,
): Promise<void> {
  const token = makeToken('personal', randomBytes(TOKEN_BYTES));
  const { account_id, owner_id, knownOwner } = await inTransaction(owner, async () => {
    const added = await addAccount(owner, {
      name,
      plan,
      plan_includes_api: apiAccess,
      ...(fiscalYearStart !== undefined && { fiscal_year_start_month: fiscalYearStart }),
      ...(appUrl !== undefined && { app_url: appUrl }),
      owner: { name: ownerName, email: ownerEmail ?? null },
    });
    await switchReporting(owner, added.account_id, { on: true, by: added.owner_id });
    await insertToken(owner, {
      account_id: added.account_id,
      kind: 'personal',
      name: 'account add',
      issued_by_id: added.owner_id,
      ...tokenMarks(token),
    });
    return added;
  });
  say(
    `account ${account_id} added: ${name}, plan ${plan}${apiAccess ? '' : ' without API access'}, reporting on`,
  );
  say(
    knownOwner
      ? `its owner is person ${owner_id}, who had ${ownerEmail} already and keeps the name`
      : `its owner is person ${owner_id}, ${[ownerName, ...(ownerEmail === undefined ? [] : [ownerEmail])].join(', ')}`,
  );
  say(`next: npx --no crossfoot load <folder> --account ${account_id}`);
  say(`then: npx --no crossfoot build --account ${account_id}`);
  say('the personal token of its owner is shown now and never again:');
  print(token);
}

/** Prints all accounts. */
export async function list(owner: Client, json: boolean, context: CommandContext): Promise<void> {
  printList(context, await listAccounts(owner), {
    json,
    asJson: ({ id, name, plan, reporting }) => ({ id: Number(id), name, plan, reporting }),
    columns: {
      id: ({ id }) => String(id),
      name: ({ name }) => name,
      plan: ({ plan, plan_includes_api }) => planText(plan, plan_includes_api),
      reporting: ({ reporting }) => (reporting ? 'on' : 'off'),
    },
    none: 'there is no account; npx --no crossfoot account add adds one',
  });
}

function planText(plan: string, includesApi: boolean): string {
  return includesApi ? plan : `${plan}, without API access`;
}

/** Prints one account. */
export async function show(
  owner: Client,
  account_id: bigint,
  json: boolean,
  { print }: CommandContext,
): Promise<void> {
  const account = await readAccount(owner, account_id);
  if (json) printJson(print, detailsAsJson(account));
  else for (const line of aligned(details(account))) print(line);
}

function detailsAsJson({
  id,
  reporting_enabled_at,
  people,
  ...account
}: AccountDetails): Record<string, unknown> {
  return {
    id: Number(id),
    ...account,
    reporting: reporting_enabled_at !== null,
    reporting_enabled_at: reporting_enabled_at === null ? null : formatInstant(reporting_enabled_at),
    people: people.map((person) => ({ ...person, id: Number(person.id) })),
  };
}

function details(account: AccountDetails): readonly (readonly string[])[] {
  const { locked_months: months, reporting_enabled_at: since } = account;
  return [
    ['id', String(account.id)],
    ['name', account.name],
    ['plan', planText(account.plan, account.plan_includes_api)],
    ['reporting', since === null ? 'off' : `on since ${shownInstant(since)}`],
    ['fiscal year starts in month', String(account.fiscal_year_start_month)],
    ['contribution margin', account.contribution_margin],
    ['value approved automatically', account.auto_approve_value ? 'yes' : 'no'],
    ['companion tables', account.companion_tables ? 'yes' : 'no'],
    ['application', account.app_url ?? 'none: links begin with APP_URL'],
    ['locked months', months.length === 0 ? 'none' : `${months.length}, ${months[0]} to ${months.at(-1)}`],
    ...account.people.map(({ id, role, name, email }) => [
      role,
      [`person ${id}`, name, email].filter((part) => part !== null).join(', '),
    ]),
  ];
}

/** Changes the settings that are given, and prints the account. */
export async function set(
  owner: Client,
  account_id: bigint,
  options: SetOptions,
  context: CommandContext,
): Promise<void> {
  const settings = settingsOf(options);
  if (Object.keys(settings).length === 0) {
    throw new CrossfootError('usage_invalid', 'account set changes nothing: no setting is given.', {
      hint: 'npx --no crossfoot account set --help lists the settings.',
    });
  }
  await inTransaction(owner, () => setAccount(owner, account_id, settings));
  await show(owner, account_id, false, context);
}

function settingsOf(options: SetOptions): AccountSettings {
  const {
    name,
    plan,
    apiAccess,
    fiscalYearStart,
    contributionMargin,
    autoApproveValue,
    companionTables,
    appUrl,
  } = options;
  return {
    ...(name !== undefined && { name }),
    ...(plan !== undefined && { plan }),
    ...(apiAccess !== undefined && { plan_includes_api: apiAccess }),
    ...(fiscalYearStart !== undefined && { fiscal_year_start_month: fiscalYearStart }),
    ...(contributionMargin !== undefined && { contribution_margin: contributionMargin }),
    ...(autoApproveValue !== undefined && { auto_approve_value: autoApproveValue }),
    ...(companionTables !== undefined && { companion_tables: companionTables }),
    ...(appUrl !== undefined && { app_url: appUrl === false ? null : appUrl }),
  };
}

/** Removes an account, or counts its rows. */
export async function remove(
  owner: Client,
  account_id: bigint,
  { dryRun, locked }: RemoveOptions,
  { print, say }: CommandContext,
): Promise<void> {
  if (dryRun) {
    const { name, locked_months } = await readAccount(owner, account_id);
    for (const line of countLines(await countAccountRows(owner, account_id))) print(line);
    say(`account ${account_id}, ${name}: nothing was removed`);
    if (locked_months.length > 0)
      say(`${locked_months.length} of its months are locked: to remove it, add --locked`);
    return;
  }
  const removed = await inTransaction(owner, () => removeAccount(owner, account_id, { withLocked: locked }));
  for (const line of countLines(removed)) print(line);
  say(`account ${account_id} is removed from the ledger, and its tokens with it`);
  say(
    `the files of its snapshots stay in the object store, below v1/a/${account_id}/: prune deletes the expired ones`,
  );
}

function countLines(counts: readonly TableCount[]): readonly string[] {
  const sum = counts.reduce((total, { rows }) => total + rows, 0n);
  return aligned([
    ...counts.map(({ table, rows }) => [table, shownCount(rows)]),
    [`${counts.length} tables`, shownCount(sum)],
  ]);
}
