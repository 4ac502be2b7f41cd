/** The actions of `crossfoot people`, over one connection as the owner. */
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { inTransaction } from '../../ledger/account-records.ts';
import { requireAccount } from '../../ledger/accounts.ts';
import { type Role, invitePerson, listPeople, removePerson } from '../../ledger/people.ts';
import { insertToken, type ListedToken, listTokens } from '../../ledger/tokens.ts';
import { shownCountOf } from '../../format.ts';
import type { CommandContext } from '../../run/context.ts';
import { makeToken, tokenMarks } from '../../serve/auth/token.ts';
import { printList } from '../terminal/print-list.ts';

const TOKEN_BYTES = 32;
/** The start of the command whose token signs a person without a personal one in to the pages. */
const READ_TOKEN = 'npx --no crossfoot token issue --kind reporting';

export interface InviteOptions {
  readonly account: bigint;
  readonly role: Role;
  readonly name?: string;
}

/** Brings a person into the account in one transaction, and prints the token of an owner or admin. */
export async function invite(
  owner: Client,
  email: string,
  { account, role, name }: InviteOptions,
  { print, say }: CommandContext,
): Promise<void> {
  const token = role === 'owner' || role === 'admin' ? makeToken('personal', randomBytes(TOKEN_BYTES)) : null;
  const { user_id, known } = await inTransaction(owner, async () => {
    const invited = await invitePerson(owner, account, { email, role, name: name ?? null });
    if (token !== null) {
      await insertToken(owner, {
        account_id: account,
        kind: 'personal',
        name: 'people invite',
        issued_by_id: invited.user_id,
        ...tokenMarks(token),
      });
    }
    return invited;
  });
  const keeps = known ? '; the ledger had the person already, and keeps the name that it has' : '';
  say(`person ${user_id}, ${email}, is in account ${account} as ${role}${keeps}`);
  if (token === null) {
    say(`a ${role} gets no token: only owners and admins hold personal tokens; nothing was mailed`);
    say(`to sign in to the pages: ${READ_TOKEN} --account ${account} --name ${signInName(user_id)}`);
    return;
  }
  say('nothing was mailed; the personal token of this person is shown now and never again:');
  print(token);
}

/** Prints the people of an account. */
export async function list(
  owner: Client,
  { account, json }: { readonly account: bigint; readonly json: boolean },
  context: CommandContext,
): Promise<void> {
  await requireAccount(owner, account);
  const people = await listPeople(owner, account);
  printList(context, people, {
    json,
    asJson: (person) => person,
    columns: {
      id: ({ id }) => String(id),
      role: ({ role }) => role,
      name: ({ name }) => name ?? '–',
      'e-mail': ({ email }) => email ?? '–',
    },
    none: `account ${account} has no people`,
  });
}

/** Takes a person out of the account. */
export async function remove(
  owner: Client,
  person: bigint | string,
  account: bigint,
  { print, say }: CommandContext,
): Promise<void> {
  const { user_id, role, tokens } = await inTransaction(owner, () => removePerson(owner, account, person));
  const revoked = tokens === 1 ? '1 personal token is' : `${tokens} personal tokens are`;
  print(`person ${user_id} has left account ${account}, as ${role}; ${revoked} revoked`);
  for (const line of stayingTokens(await listTokens(owner, account), user_id, account)) say(line);
}

/** The reporting tokens that outlive the person: they belong to the account, and only `token revoke` ends them. */
function stayingTokens(tokens: readonly ListedToken[], user_id: bigint, account: bigint): readonly string[] {
  const valid = tokens.filter(
    ({ kind, revoked_at, expired }) => kind === 'reporting' && revoked_at === null && !expired,
  );
  const own = valid.filter(({ name }) => name === signInName(user_id));
  const issued = valid.filter((each) => each.issued_by_id === user_id && !own.includes(each));
  return [
    ...own.map(
      ({ id, name }) =>
        `the reporting token ${name} is still valid; to end it: npx --no crossfoot token revoke ${id} --account ${account}`,
    ),
    ...(issued.length === 0
      ? []
      : [
          `still valid: ${shownCountOf(issued.length, 'reporting token')} that the person issued; npx --no crossfoot token list --account ${account} shows them`,
        ]),
  ];
}

/** The name of the reporting token with which a person without a personal token signs in. */
function signInName(user_id: bigint): string {
  return `person-${user_id}`;
}
