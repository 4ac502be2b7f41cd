/** `crossfoot webhooks`: the webhooks of an account, and the outcome of their deliveries. */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { Client } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { demandAccount } from '../../ledger/accounts.ts';
import {
  addWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  rotateSecret,
} from '../../webhooks/endpoints.ts';
import { allowAddresses } from '../../webhooks/allowed-addresses.ts';
import { makeSecret } from '../../webhooks/signature.ts';
import { aligned } from '../terminal/aligned.ts';
import { withOwner } from '../../run/as-owner.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { parseCount, parseId } from '../terminal/id-argument.ts';
import { shownInstant } from '../../format.ts';
import { testWebhook } from './webhook-test.ts';

const SECRET_BYTES = 32;
const MOST_DELIVERIES = 1_000;
const FEW_DELIVERIES = 20;
const EXAMPLES = `
Examples:
  crossfoot webhooks add https://hooks.example/crossfoot --account 1
  crossfoot webhooks list --account 1
  crossfoot webhooks test 1 --account 1
  crossfoot webhooks rotate 1 --account 1
  crossfoot webhooks remove 1 --account 1
  crossfoot webhooks deliveries --account 1

All of them need OWNER_URL, or the embedded database of a DATA_DIR that no running instance uses. Workers deliver.`;

interface OfAccount {
  readonly account: bigint;
}

/** Adds the command to the program. */
export function addWebhooksCommand(program: Command, context: CommandContext): void {
  const webhooks = program
    .command('webhooks')
    .description('tell a server of an account what was published, refused, failed, stale or retracted')
    .addHelpText('after', EXAMPLES);
  const subcommand = (usage: string, description: string): Command =>
    webhooks
      .command(usage)
      .description(description)
      .requiredOption('--account <id>', 'the account', parseId)
      .addHelpText('after', EXAMPLES);
  const asOwner = (run: (owner: Client) => Promise<void>): Promise<void> =>
    withOwner(context, 'crossfoot webhooks', run);

  subcommand(
    'add',
    'tell this address from now on, and print the secret it checks with: once, and nowhere else',
  )
    .argument('<url>', 'an https:// address')
    .action((url: string, of: OfAccount) => asOwner((owner) => add(owner, url, of, context)));
  subcommand('list', 'list webhooks, without their secrets').action((of: OfAccount) =>
    asOwner((owner) => list(owner, of, context)),
  );
  subcommand('test', 'post a message of type `test` now, and say what was answered')
    .argument('<id>', 'its id in the list', parseId)
    .action((id: bigint, of: OfAccount) => asOwner((owner) => testWebhook(owner, id, of.account, context)));
  subcommand('rotate', 'print a new secret; the one before it signs as well, until the next rotation')
    .argument('<id>', 'its id in the list', parseId)
    .action((id: bigint, of: OfAccount) => asOwner((owner) => rotate(owner, id, of, context)));
  subcommand('remove', 'tell it nothing any more, and forget what it was told')
    .argument('<id>', 'its id in the list', parseId)
    .action((id: bigint, of: OfAccount) => asOwner((owner) => remove(owner, id, of, context)));
  subcommand('deliveries', 'show the last deliveries, newest event first')
    .option('--last <n>', 'how many', parseCount(MOST_DELIVERIES), FEW_DELIVERIES)
    .action((of: OfAccount & { last: number }) => asOwner((owner) => deliveries(owner, of, context)));
}

async function add(owner: Client, text: string, of: OfAccount, context: CommandContext): Promise<void> {
  const { settings } = openSettings(context);
  const url = URL.parse(text);
  const reason = url === null ? 'it is no URL' : allowAddresses(settings.webhookNetworks).refuseUrl(url);
  if (url === null || reason !== null) {
    throw new CrossfootError('usage_invalid', `This address cannot be told: ${reason}.`, {
      hint: 'It must be https:// and public; WEBHOOK_NETWORKS names networks of your own that may be reached.',
    });
  }
  await demandAccount(owner, of.account);
  const secret = makeSecret(randomBytes(SECRET_BYTES));
  const id = await addWebhook(owner, of.account, { url: url.href, secret });
  context.say(`webhook ${id} of account ${of.account}; its secret is shown this once:`);
  context.print(secret);
}

async function list(owner: Client, { account }: OfAccount, { print, say }: CommandContext): Promise<void> {
  await demandAccount(owner, account);
  const found = await listWebhooks(owner, account);
  if (found.length === 0) return say(`account ${account} has no webhooks`);
  const headings = ['id', 'address', 'state', 'secrets', 'waiting', 'last delivered', 'added'];
  const rows = found.map((each) => [
    String(each.id),
    each.url,
    each.disabled_at === null ? 'told' : `gone ${shownInstant(each.disabled_at)}`,
    String(each.secrets),
    String(each.pending),
    each.delivered_at === null ? 'never' : shownInstant(each.delivered_at),
    shownInstant(each.created_at),
  ]);
  for (const line of aligned([headings, ...rows])) print(line);
}

async function rotate(
  owner: Client,
  id: bigint,
  { account }: OfAccount,
  context: CommandContext,
): Promise<void> {
  const secret = makeSecret(randomBytes(SECRET_BYTES));
  if (!(await rotateSecret(owner, account, id, secret))) throw unknown(id, account);
  context.say(`new secret of webhook ${id}, shown this once; the one before signs as well until the next:`);
  context.print(secret);
}

async function remove(
  owner: Client,
  id: bigint,
  { account }: OfAccount,
  context: CommandContext,
): Promise<void> {
  if (!(await removeWebhook(owner, account, id))) throw unknown(id, account);
  context.print(`webhook ${id} removed`);
}

async function deliveries(
  owner: Client,
  { account, last }: OfAccount & { readonly last: number },
  { print, say }: CommandContext,
): Promise<void> {
  await demandAccount(owner, account);
  const found = await listDeliveries(owner, account, last);
  if (found.length === 0) return say(`nothing was told to webhooks of account ${account}`);
  const headings = [
    'event',
    'webhook',
    'state',
    'tries',
    'last answer',
    'last try',
    'happened',
    'webhook-id',
  ];
  const rows = found.map((each) => [
    each.type,
    String(each.webhook_id),
    each.state,
    String(each.tries),
    String(each.status ?? each.fault ?? 'none'),
    each.tried_at === null ? 'not yet' : shownInstant(each.tried_at),
    shownInstant(each.occurred_at),
    each.message_id,
  ]);
  for (const line of aligned([headings, ...rows])) print(line);
}

function unknown(id: bigint, account: bigint): CrossfootError {
  return new CrossfootError('not_found', `Account ${account} has no webhook ${id}.`, {
    hint: `crossfoot webhooks list --account ${account} shows those it has.`,
  });
}
