/** Invites, lists and removes the people of an account, for the command `people`. Every function needs a session of the owner. */
import { type InferResult, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { countRows, db, readFirst, readOne, readRows } from '../database/query.ts';
import type { Database } from '../database/schema.ts';
import { CrossfootError } from '../errors.ts';
import { shownInstant } from '../format.ts';

export type Role = Database['ledger.memberships']['role'];

export interface NewPerson {
  /** Null: the person is shown by their id. */
  readonly name: string | null;
  readonly email: string | null;
}

const PEOPLE = db
  .selectFrom('ledger.memberships as m')
  .innerJoin('ledger.users as u', 'u.id', 'm.user_id')
  .leftJoin('vault.user_emails as e', 'e.user_id', 'm.user_id')
  .select(['m.user_id as id', 'm.role', 'u.name', 'e.email'])
  .where('m.removed_at', 'is', null)
  .orderBy('m.user_id');

export type Person = Readonly<InferResult<typeof PEOPLE>[number]>;

/** The people who are still in the account, by ascending id. */
export async function listPeople(owner: ClientBase, account_id: bigint): Promise<readonly Person[]> {
  return await readRows(owner, PEOPLE.where('m.account_id', '=', account_id));
}

/**
 * The person with the e-mail address, in any account; upper and lower case count as equal. Null if there is none.
 * Holds a lock until the transaction ends, so that two commands cannot both add the person.
 */
export async function findPerson(owner: ClientBase, email: string): Promise<bigint | null> {
  await owner.query("select pg_advisory_xact_lock(hashtext('crossfoot people'))");
  const person = db
    .selectFrom('vault.user_emails')
    .select('user_id')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .orderBy(sql<boolean>`email = ${email}`, 'desc')
    .orderBy('user_id')
    .limit(1);
  return (await readFirst(owner, person))?.user_id ?? null;
}

/** Adds a person to the ledger, in no account yet. */
export async function addPerson(owner: ClientBase, { name, email }: NewPerson): Promise<bigint> {
  const user_id = (await readOne(owner, db.insertInto('ledger.users').values({ name }).returning('id'))).id;
  if (email !== null) await countRows(owner, db.insertInto('vault.user_emails').values({ user_id, email }));
  return user_id;
}

export interface Invited {
  readonly user_id: bigint;
  /** True: the ledger had a person with the e-mail address, who keeps their name. */
  readonly known: boolean;
}

/** Brings a person into the account; throws if the person is in it already. Call it in a transaction. */
export async function invitePerson(
  owner: ClientBase,
  account_id: bigint,
  { role, ...person }: NewPerson & { readonly email: string; readonly role: Role },
): Promise<Invited> {
  await holdPeople(owner, account_id);
  const known = await findPerson(owner, person.email);
  const user_id = known ?? (await addPerson(owner, person));
  const before = await readMembership(owner, account_id, user_id);
  if (before === null) {
    await countRows(owner, db.insertInto('ledger.memberships').values({ account_id, user_id, role }));
  } else if (before.removed_at === null) {
    throw new CrossfootError(
      'person_refused',
      `Person ${user_id}, ${person.email}, is in account ${account_id} already, as ${before.role}. Nothing was changed.`,
      { hint: `npx --no crossfoot people list --account ${account_id} shows its people.` },
    );
  } else {
    // The tokens of the time before stay dead: only a removal by this command has revoked them.
    await revokePersonalTokens(owner, account_id, user_id);
    await countRows(owner, ofPerson(account_id, user_id).set({ role, removed_at: null }));
  }
  return { user_id, known: known !== null };
}

export interface Removed {
  readonly user_id: bigint;
  readonly role: Role;
  /** How many personal tokens were revoked. */
  readonly tokens: number;
}

/** Takes a person out of the account, and revokes the person's tokens in it. Call it in a transaction. */
export async function removePerson(
  owner: ClientBase,
  account_id: bigint,
  named: bigint | string,
): Promise<Removed> {
  await holdPeople(owner, account_id);
  const user_id = typeof named === 'bigint' ? named : await findPerson(owner, named);
  const membership = user_id === null ? null : await readMembership(owner, account_id, user_id);
  if (user_id === null || membership === null) {
    throw new CrossfootError('not_found', `Account ${account_id} has no person ${named}.`, {
      hint: `npx --no crossfoot people list --account ${account_id} shows its people.`,
    });
  }
  const { role, removed_at } = membership;
  if (removed_at !== null) {
    throw new CrossfootError(
      'person_refused',
      `Person ${named} has left account ${account_id} already, at ${shownInstant(removed_at)}. Nothing was changed.`,
    );
  }
  const owners = (await listPeople(owner, account_id)).filter((each) => each.role === 'owner');
  if (role === 'owner' && owners.length === 1) {
    throw new CrossfootError(
      'person_refused',
      `Person ${named} is the last owner of account ${account_id}. Nothing was changed.`,
      {
        hint: `Invite another owner first: npx --no crossfoot people invite <e-mail> --account ${account_id} --role owner`,
      },
    );
  }
  const left = ofPerson(account_id, user_id).set({ removed_at: sql<bigint>`clock_timestamp()` });
  await countRows(owner, left);
  return { user_id, role, tokens: await revokePersonalTokens(owner, account_id, user_id) };
}

/** Waits for other commands that change the people of the account; throws if there is no such account. */
async function holdPeople(owner: ClientBase, account_id: bigint): Promise<void> {
  const account = db.selectFrom('ledger.accounts').select('id').where('id', '=', account_id);
  if ((await readFirst(owner, account.forNoKeyUpdate())) !== null) return;
  throw new CrossfootError('not_found', `There is no account ${account_id} in this ledger.`, {
    hint: 'npx --no crossfoot account list shows the accounts.',
  });
}

async function readMembership(owner: ClientBase, account_id: bigint, user_id: bigint) {
  const membership = db
    .selectFrom('ledger.memberships')
    .select(['role', 'removed_at'])
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id);
  return await readFirst(owner, membership);
}

function ofPerson(account_id: bigint, user_id: bigint) {
  return db
    .updateTable('ledger.memberships')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id);
}

async function revokePersonalTokens(owner: ClientBase, account_id: bigint, user_id: bigint): Promise<number> {
  const tokens = db
    .updateTable('vault.access_tokens')
    .set({ revoked_at: sql<bigint>`clock_timestamp()` })
    .where('account_id', '=', account_id)
    .where('issued_by_id', '=', user_id)
    .where('kind', '=', 'personal')
    .where('revoked_at', 'is', null);
  return await countRows(owner, tokens);
}
