/** `crossfoot token`: access tokens of an account, issued, listed and revoked as the ledger's owner. */
import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { Client } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { demandAccount, demandManager } from '../../ledger/accounts.ts';
import { findIssuer, insertToken, listTokens, revokeToken, type ListedToken } from '../../ledger/tokens.ts';
import { makeToken, type TokenKind, tokenMarks } from '../../serve/auth/token.ts';
import { formatInstant } from '../../time.ts';
import { aligned } from '../terminal/aligned.ts';
import { withOwner } from '../../run/as-owner.ts';
import type { CommandContext } from '../../run/context.ts';
import { parseCount, parseId } from '../terminal/id-argument.ts';
import { shownInstant } from '../../format.ts';

const TOKEN_BYTES = 32;
/** Ten years: what is meant to last longer does not expire. */
const MOST_DAYS = 3_650;
const KINDS: readonly TokenKind[] = ['personal', 'reporting'];
const EXAMPLES = `
Examples:
  crossfoot token issue --account 1 --kind reporting --name warehouse --expires 365
  crossfoot token list --account 1
  crossfoot token revoke 7 --account 1

All of them need OWNER_URL, or the embedded database of a DATA_DIR that no running instance uses.`;

interface IssueOptions {
  readonly account: bigint;
  readonly kind: TokenKind;
  readonly name: string;
  readonly expires?: number;
  readonly user?: bigint;
}

/** Adds the command to the program. */
export function addTokenCommand(program: Command, context: CommandContext): void {
  const token = program
    .command('token')
    .description('issue, list and revoke the access tokens of an account')
    .addHelpText('after', EXAMPLES);
  token
    .command('issue')
    .description('make a token and print it: once, and nowhere else')
    .requiredOption('--account <id>', 'the account it is for', parseId)
    .addOption(
      new Option('--kind <kind>', 'personal acts for a person, reporting for the account')
        .choices(KINDS)
        .makeOptionMandatory(),
    )
    .requiredOption('--name <text>', 'what tells it from others in the list')
    .option('--expires <days>', 'how long it lives; for ever without this', parseCount(MOST_DAYS))
    .option('--user <id>', 'who issues it: an owner or admin; without this the first owner', parseId)
    .addHelpText('after', EXAMPLES)
    .action((options: IssueOptions) =>
      withOwner(context, 'crossfoot token', (owner) => issue(owner, options, context)),
    );
  token
    .command('list')
    .description('list tokens, the dead ones too')
    .requiredOption('--account <id>', 'the account', parseId)
    .option('--json', 'print one JSON array', false)
    .addHelpText('after', EXAMPLES)
    .action((options: { account: bigint; json: boolean }) =>
      withOwner(context, 'crossfoot token', (owner) => list(owner, options, context)),
    );
  token
    .command('revoke')
    .description('refuse a token from now on; doing it twice changes nothing')
    .argument('<id>', 'its id in the list', parseId)
    .requiredOption('--account <id>', 'the account it is for', parseId)
    .addHelpText('after', EXAMPLES)
    .action((id: bigint, { account }: { account: bigint }) =>
      withOwner(context, 'crossfoot token', (owner) => revoke(owner, account, id, context)),
    );
}

async function issue(owner: Client, options: IssueOptions, { print, say }: CommandContext): Promise<void> {
  const { account, kind, name, expires, user } = options;
  if (name.trim() === '') throw new CrossfootError('usage_invalid', '--name must not be blank.');
  await demandAccount(owner, account);
  if (user !== undefined) await demandManager(owner, account, user);
  const issued_by_id = user ?? (await findIssuer(owner, account));
  if (issued_by_id === null) {
    throw new CrossfootError('member_refused', `Account ${account} has no owner or admin to issue a token.`, {
      hint: 'Load one into memberships first.',
    });
  }
  const token = makeToken(kind, randomBytes(TOKEN_BYTES));
  const id = await insertToken(owner, {
    account_id: account,
    kind,
    name,
    issued_by_id,
    expires_in_days: expires,
    ...tokenMarks(token),
  });
  say(`token ${id} of account ${account}, issued by person ${issued_by_id}; it is shown this once:`);
  print(token);
}

async function list(
  owner: Client,
  { account, json }: { readonly account: bigint; readonly json: boolean },
  { print, say }: CommandContext,
): Promise<void> {
  await demandAccount(owner, account);
  const tokens = await listTokens(owner, account);
  if (json) {
    print(JSON.stringify(tokens.map(asJson), null, 2));
    return;
  }
  if (tokens.length === 0) say(`account ${account} has no tokens`);
  else for (const line of aligned([HEADINGS, ...tokens.map(cells)])) print(line);
}

const HEADINGS = ['id', 'kind', 'name', 'token', 'state', 'issued by', 'created', 'expires', 'last used'];

function cells(token: ListedToken): readonly string[] {
  const { id, kind, name, prefix, last_four, issued_by_id, issuer_left, expires_at, last_used_at } = token;
  return [
    String(id),
    kind,
    name,
    `${prefix}…${last_four}`,
    stateOf(token),
    `${issued_by_id}${issuer_left ? ' (has left)' : ''}`,
    shownInstant(token.created_at),
    expires_at === null ? 'never' : shownInstant(expires_at),
    last_used_at === null ? 'never' : shownInstant(last_used_at),
  ];
}

/** What the token opens now; a personal one dies with its issuer's membership. */
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

function instantOrNull(instant: bigint | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

async function revoke(owner: Client, account: bigint, id: bigint, { print }: CommandContext): Promise<void> {
  const revoked = await revokeToken(owner, account, id);
  if (revoked === null) {
    throw new CrossfootError('not_found', `Account ${account} has no token ${id}.`, {
      hint: `crossfoot token list --account ${account} shows those it has.`,
    });
  }
  const when = shownInstant(revoked.revoked_at);
  print(revoked.before ? `token ${id} was revoked at ${when} already` : `token ${id} revoked at ${when}`);
}
