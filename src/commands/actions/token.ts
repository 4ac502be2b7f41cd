/** The actions of `crossfoot token`, over one connection as the owner. */
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { publicBaseUrl } from '../../config.ts';
import { openEnvironment } from '../../run/secret-files.ts';
import { CrossfootError } from '../../errors.ts';
import { requireAccount, requireManager } from '../../ledger/accounts.ts';
import { findIssuer, insertToken, listTokens, revokeToken, type ListedToken } from '../../ledger/tokens.ts';
import { makeToken, type TokenKind, tokenMarks } from '../../serve/auth/token.ts';
import { SHARING_PATH } from '../../serve/sharing/sharing-path.ts';
import type { Instant } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import type { CommandContext } from '../../run/context.ts';
import { shownInstant } from '../../format.ts';
import { createProfile } from './profile-file.ts';
import { printList } from '../terminal/print-list.ts';

export interface IssueOptions {
  readonly account: bigint;
  readonly kind: TokenKind;
  readonly name: string;
  readonly expires?: number;
  readonly user?: bigint;
  readonly profile?: string;
}

const TOKEN_BYTES = 32;

/** Makes a token and prints it. */
export async function issue(
  owner: Client,
  options: IssueOptions,
  { env, print, say }: CommandContext,
): Promise<void> {
  const { account, kind, name, expires, user, profile } = options;
  if (name.trim() === '') throw new CrossfootError('usage_invalid', '--name must not be blank.');
  await requireAccount(owner, account);
  if (user !== undefined) await requireManager(owner, account, user);
  const issued_by_id = user ?? (await findIssuer(owner, account));
  if (issued_by_id === null) {
    throw new CrossfootError('member_refused', `Account ${account} has no owner or admin to issue a token.`, {
      hint: 'Load an owner or admin into memberships first.',
    });
  }
  const endpoint = sharingEndpoint(env);
  await using file = profile === undefined ? null : await createProfile(profile, endpoint);
  const token = makeToken(kind, randomBytes(TOKEN_BYTES));
  const id = await insertToken(owner, {
    account_id: account,
    kind,
    name,
    issued_by_id,
    expires_in_days: expires,
    ...tokenMarks(token),
  });
  if (file !== null) {
    const issued = (await listTokens(owner, account)).find((each) => each.id === id);
    await file.write(token, issued?.expires_at ?? null);
    say(
      `token ${id} of account ${account}, issued by person ${issued_by_id}; ${profile} has it for ${endpoint}`,
    );
    return;
  }
  say(
    `token ${id} of account ${account}, issued by person ${issued_by_id}; it is shown now and never again:`,
  );
  print(token);
}

/** Where clients of the sharing protocol find the server. */
function sharingEndpoint(env: CommandContext['env']): string {
  const settings = openEnvironment(env);
  return publicBaseUrl(settings, settings.port).replace(/\/v1$/, SHARING_PATH);
}

/** Prints the tokens of an account. */
export async function list(
  owner: Client,
  { account, json }: { readonly account: bigint; readonly json: boolean },
  context: CommandContext,
): Promise<void> {
  await requireAccount(owner, account);
  const tokens = await listTokens(owner, account);
  printList(context, tokens, {
    json,
    asJson,
    columns: {
      id: ({ id }) => String(id),
      kind: ({ kind }) => kind,
      name: ({ name }) => name,
      token: ({ prefix, last_four }) => `${prefix}…${last_four}`,
      state: stateOf,
      'issued by': ({ issued_by_id, issuer_left }) => `${issued_by_id}${issuer_left ? ' (has left)' : ''}`,
      created: ({ created_at }) => shownInstant(created_at),
      expires: ({ expires_at }) => (expires_at === null ? 'never' : shownInstant(expires_at)),
      'last used': ({ last_used_at }) => (last_used_at === null ? 'not yet' : shownInstant(last_used_at)),
    },
    none: `account ${account} has no tokens`,
  });
}

/** The state of the token; a personal token also ends with its issuer's membership. */
function stateOf({ kind, revoked_at, expired, issuer_left }: ListedToken): string {
  if (revoked_at !== null) return `revoked ${shownInstant(revoked_at)}`;
  if (expired) return 'expired';
  return kind === 'personal' && issuer_left ? 'dead: issuer has left' : 'valid';
}

function asJson(token: ListedToken): Record<string, unknown> {
  const instants = ['created_at', 'expires_at', 'revoked_at', 'last_used_at'] as const;
  return {
    ...token,
    id: String(token.id),
    issued_by_id: String(token.issued_by_id),
    ...Object.fromEntries(instants.map((name) => [name, instantOrNull(token[name])])),
    state: stateOf(token),
  };
}

function instantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** Revokes a token and prints the time. */
export async function revoke(
  owner: Client,
  account: bigint,
  id: bigint,
  { print }: CommandContext,
): Promise<void> {
  const revoked = await revokeToken(owner, account, id);
  if (revoked === null) {
    throw new CrossfootError('not_found', `Account ${account} has no token ${id}.`, {
      hint: `npx --no crossfoot token list --account ${account} lists its tokens.`,
    });
  }
  const when = shownInstant(revoked.revoked_at);
  print(revoked.before ? `token ${id} was revoked at ${when} already` : `token ${id} revoked at ${when}`);
}
