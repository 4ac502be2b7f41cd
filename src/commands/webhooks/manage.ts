/** The actions of `crossfoot webhooks` except `test`, over one connection as the owner. */
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
import { eventName, parseSubscription, type WebhookForm } from '../../webhooks/names.ts';
import { mailAddressOf } from '../../webhooks/mail.ts';
import type { Settings } from '../../config.ts';
import { allowAddresses } from '../../webhooks/allowed-addresses.ts';
import { shownAddress } from '../../webhooks/shown-address.ts';
import { makeSecret } from '../../webhooks/signature.ts';
import { printList } from '../terminal/print-list.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { shownInstant } from '../../format.ts';
import type { Instant } from '../../instant.ts';
import { formatInstant } from '../../time.ts';

export interface OfAccount {
  readonly account: bigint;
}

export interface Listing extends OfAccount {
  readonly json: boolean;
}

const SECRET_BYTES = 32;

export interface Addition extends OfAccount {
  readonly as: WebhookForm;
  /** Names that commas separate; the six of the first version if omitted. */
  readonly events?: string;
  /** A share in percent, such as `5%`; adds the event of moved totals. */
  readonly moved?: string;
}

/** Adds a webhook and prints its secret; a letter has none. */
export async function add(owner: Client, text: string, of: Addition, context: CommandContext): Promise<void> {
  const { settings } = openSettings(context);
  const url = URL.parse(text);
  if (url === null) throw unfit('it is not a URL', HTTPS_HINT);
  if (of.as === 'email') requireLetters(url, settings);
  else requireAddress(url, settings);
  const subscription = parseSubscription(of);
  await requireAccount(owner, of.account);
  const secret = makeSecret(randomBytes(SECRET_BYTES));
  const id = await addWebhook(owner, of.account, { url: url.href, secret, form: of.as, ...subscription });
  if (of.as === 'email') return context.say(`webhook ${id} of account ${of.account} sends letters`);
  context.say(`webhook ${id} of account ${of.account}; its secret is shown now and never again:`);
  context.print(secret);
}

function shownEvent(type: string, moved_share: string): string {
  // `--moved` takes four decimals; the product of a double has more.
  const percent = Number((Number(moved_share) * 100).toFixed(4));
  return type === 'totals.moved' ? `${eventName(type)} (${percent}%)` : eventName(type);
}

const HTTPS_HINT = 'Use a public https:// address, or add your own network to WEBHOOK_NETWORKS.';

function requireAddress(url: URL, settings: Settings): void {
  if (url.protocol === 'mailto:') throw unfit('it is a mailbox', 'Add --as email.');
  const reason = allowAddresses(settings.webhookNetworks).refuseUrl(url);
  if (reason !== null) throw unfit(reason, HTTPS_HINT);
}

function requireLetters(url: URL, settings: Settings): void {
  if (mailAddressOf(url) === null) {
    throw unfit('it is not one mailbox', 'Write it as mailto:finance@example.com.');
  }
  if (settings.mail === null) {
    throw unfit('no mail server is set', 'Set SMTP_URL and SMTP_FROM for this command and for the workers.');
  }
}

function unfit(reason: string, hint: string): CrossfootError {
  return new CrossfootError('usage_invalid', `This address cannot be a webhook: ${reason}.`, { hint });
}

/** Prints the webhooks of an account. */
export async function list(
  owner: Client,
  { account, json }: Listing,
  context: CommandContext,
): Promise<void> {
  await requireAccount(owner, account);
  printList(context, await listWebhooks(owner, account), {
    json,
    asJson: ({ url, moved_share, disabled_at, delivered_at, created_at, ...webhook }) => ({
      ...webhook,
      url: shownAddress(url, webhook.form),
      moved_share: Number(moved_share),
      disabled_at: instantOrNull(disabled_at),
      delivered_at: instantOrNull(delivered_at),
      created_at: formatInstant(created_at),
    }),
    columns: {
      id: ({ id }) => String(id),
      address: ({ url, form }) => shownAddress(url, form),
      state: ({ disabled_at }) =>
        disabled_at === null ? 'active' : `disabled ${shownInstant(disabled_at)} (answered 410)`,
      secrets: ({ secrets }) => String(secrets),
      waiting: ({ pending }) => String(pending),
      'last delivered': ({ delivered_at }) =>
        delivered_at === null ? 'not in 90 days' : shownInstant(delivered_at),
      added: ({ created_at }) => shownInstant(created_at),
      as: ({ form }) => form,
      events: ({ events, moved_share }) => events.map((type) => shownEvent(type, moved_share)).join(','),
    },
    none: `account ${account} has no webhooks`,
  });
}

/** Makes a new secret, prints it, and enables the webhook again if its receiver had answered 410. */
export async function rotate(
  owner: Client,
  id: bigint,
  { account }: OfAccount,
  context: CommandContext,
): Promise<void> {
  const secret = makeSecret(randomBytes(SECRET_BYTES));
  if (!(await rotateSecret(owner, account, id, secret))) throw unknown(id, account);
  context.say(
    `webhook ${id} is active; messages are also signed with the previous secret until the next rotation; the new secret is shown now and never again:`,
  );
  context.print(secret);
}

/** Removes a webhook. */
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
  { account, last, json }: Listing & { readonly last: number },
  context: CommandContext,
): Promise<void> {
  await requireAccount(owner, account);
  printList(context, await listDeliveries(owner, account, last), {
    json,
    asJson: ({ tried_at, occurred_at, ...delivery }) => ({
      ...delivery,
      tried_at: instantOrNull(tried_at),
      occurred_at: formatInstant(occurred_at),
    }),
    columns: {
      event: ({ type }) => type,
      webhook: ({ webhook_id }) => String(webhook_id),
      state: ({ state }) => state,
      tries: ({ tries }) => String(tries),
      'last answer': ({ status, fault }) => String(status ?? fault ?? 'none'),
      'last try': ({ tried_at }) => (tried_at === null ? 'not yet' : shownInstant(tried_at)),
      happened: ({ occurred_at }) => shownInstant(occurred_at),
      'webhook-id': ({ message_id }) => message_id,
    },
    none: `no delivery to webhooks of account ${account}`,
  });
}

function instantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

function unknown(id: bigint, account: bigint): CrossfootError {
  return new CrossfootError('not_found', `Account ${account} has no webhook ${id}.`, {
    hint: `npx --no crossfoot webhooks list --account ${account} lists its webhooks.`,
  });
}
