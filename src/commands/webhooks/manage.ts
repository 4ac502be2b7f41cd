/** What each `crossfoot webhooks` but `test` does, over one connection as the owner. */
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { requireAccount } from '../../ledger/accounts.ts';
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
import { type CommandContext, openSettings } from '../../run/context.ts';
import { shownInstant } from '../../format.ts';
import type { OfAccount } from './webhooks.ts';

const SECRET_BYTES = 32;

/** Writes down an address, and prints its secret. */
export async function add(
  owner: Client,
  text: string,
  of: OfAccount,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  const url = URL.parse(text);
  const reason = url === null ? 'it is no URL' : allowAddresses(settings.webhookNetworks).refuseUrl(url);
  if (url === null || reason !== null) {
    throw new CrossfootError('usage_invalid', `This address cannot be told: ${reason}.`, {
      hint: 'It must be https:// and public; WEBHOOK_NETWORKS names networks of your own that may be reached.',
    });
  }
  await requireAccount(owner, of.account);
  const secret = makeSecret(randomBytes(SECRET_BYTES));
  const id = await addWebhook(owner, of.account, { url: url.href, secret });
  context.say(`webhook ${id} of account ${of.account}; its secret is shown this once:`);
  context.print(secret);
}

/** Prints the webhooks of an account. */
export async function list(
  owner: Client,
  { account }: OfAccount,
  { print, say }: CommandContext,
): Promise<void> {
  await requireAccount(owner, account);
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

/** Makes a new secret, and prints it. */
export async function rotate(
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

/** Forgets a webhook. */
export async function remove(
  owner: Client,
  id: bigint,
  { account }: OfAccount,
  context: CommandContext,
): Promise<void> {
  if (!(await removeWebhook(owner, account, id))) throw unknown(id, account);
  context.print(`webhook ${id} removed`);
}

/** Prints the last deliveries. */
export async function deliveries(
  owner: Client,
  { account, last }: OfAccount & { readonly last: number },
  { print, say }: CommandContext,
): Promise<void> {
  await requireAccount(owner, account);
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
