/** The actions of `crossfoot deliver`, over one connection as the owner. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Client } from 'pg';
import type { Settings } from '../../config.ts';
import { probeTarget } from '../../deliveries/probe-target.ts';
import { addressOf, overlapOf } from '../../deliveries/target-address.ts';
import { inItsOwnWords } from '../../deliveries/target-store.ts';
import {
  addTarget,
  type DeliveryTarget,
  listTargets,
  type ListedTarget,
  lockTargets,
  readAddresses,
  readTarget,
  removeTarget,
} from '../../deliveries/targets.ts';
import { CrossfootError } from '../../errors.ts';
import { shownInstant } from '../../format.ts';
import { inTransaction } from '../../ledger/account-records.ts';
import { requireAccount } from '../../ledger/accounts.ts';
import { didYouMean } from '../../ledger/sources/nearest-file.ts';
import { withOwner } from '../../run/as-owner.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { boundTo, openDeliveryTarget, requireTarget, sealKey } from '../../run/delivery-target.ts';
import { unlessStopped } from '../../run/stopping.ts';
import { parseBucket } from '../../store-settings.ts';
import { formatInstant } from '../../time.ts';
import { printList } from '../terminal/print-list.ts';

export interface OfAccount {
  readonly account: bigint;
}

export interface Listing extends OfAccount {
  readonly json: boolean;
}

export interface Addition extends OfAccount {
  readonly endpoint?: string;
  readonly region?: string;
  readonly accessKey?: string;
  readonly secretFile?: string;
  readonly keep?: number;
}

/** Stores a target, with its secret sealed. The secret is read before a database is opened. */
export async function add(place: string, of: Addition, context: CommandContext): Promise<void> {
  const { settings } = openSettings(context);
  // Standard input may stay open for ever.
  const target = await unlessStopped(context.signal, readNewTarget(place, of, settings));
  await requireTarget(settings, target);
  const id = await withOwner(context, 'crossfoot deliver', (owner) =>
    inTransaction(owner, async () => {
      await requireAccount(owner, of.account);
      await lockTargets(owner); // two commands at once must not both find the place free
      await requireApart(owner, target);
      return await addTarget(owner, of.account, { ...target, keep: of.keep ?? null });
    }),
  );
  context.say(`target ${id} of account ${of.account}; workers deliver the newest snapshot within minutes`);
  context.say(`npx --no crossfoot deliver test ${id} --account ${of.account} tries it now`);
}

async function readNewTarget(place: string, of: Addition, settings: Settings): Promise<DeliveryTarget> {
  const bucket = parseBucket(place);
  if (bucket === null) return folderTarget(place, of);
  const named = {
    address: addressOf(bucket),
    endpoint: of.endpoint === undefined ? null : endpointOf(of.endpoint),
    region: of.region === undefined ? null : regionOf(of.region),
  };
  if (of.accessKey === undefined) {
    if (of.secretFile !== undefined) throw unfit('--secret-file needs --access-key, the id of the key');
    return { ...named, sealed: null };
  }
  // Checked before the secret is read: a person types no secret for an address that is refused.
  await requireTarget(settings, { ...named, sealed: '' });
  const key = { accessKeyId: of.accessKey, secretAccessKey: await readSecret(of.secretFile) };
  return { ...named, sealed: await sealKey(settings, key, boundTo(of.account, named)) };
}

function folderTarget(place: string, of: Addition): DeliveryTarget {
  const url = place.startsWith('file:') ? URL.parse(place) : null;
  const isPath = !/^[a-z][a-z0-9+.-]+:/i.test(place);
  if (!isPath && (url === null || url.host !== '' || url.search + url.hash !== '')) {
    throw unfit('a target is s3://bucket/prefix, or the path of a folder');
  }
  if ([of.endpoint, of.region, of.accessKey, of.secretFile].some((option) => option !== undefined)) {
    throw unfit('a folder takes no --endpoint, --region, --access-key and --secret-file');
  }
  const folder = url ?? pathToFileURL(resolve(place));
  if (folder.pathname === '/') throw unfit('the root of the file system is no folder for deliveries');
  return { address: addressOf(folder), endpoint: null, region: null, sealed: null };
}

function endpointOf(given: string): string {
  const url = URL.parse(given);
  if (url === null || url.pathname !== '/' || url.search !== '' || !/^https?:$/.test(url.protocol)) {
    // The text is not repeated: people write credentials into addresses.
    throw unfit('--endpoint must be an https:// URL without a path');
  }
  if (url.username + url.password !== '')
    throw unfit('--endpoint holds a login; give the key with --access-key');
  return url.origin;
}

function regionOf(given: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(given))
    throw unfit('--region must be the name of a region, such as eu-west-1');
  return given;
}

/** The secret in a file or on standard input, without the space around it. */
async function readSecret(file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY) {
    throw unfit(
      'the secret is read from a file or from standard input: give --secret-file, or write < secret',
    );
  }
  const read = await (file === undefined ? text(process.stdin) : readFile(file, 'utf8')).catch(() => null);
  if (read === null) throw await unreadable(file ?? 'standard input');
  const secret = read.trim();
  if (secret === '' || /\s/.test(secret)) throw unfit('the secret must be one word');
  return secret;
}

async function unreadable(file: string): Promise<CrossfootError> {
  const end = await didYouMean(file, { files: () => true, folders: false });
  return new CrossfootError('usage_invalid', `--secret-file: ${file} cannot be read${end}`);
}

/** Snapshots of two accounts may have one id, so each target has a place of its own. */
async function requireApart(owner: Client, { address }: DeliveryTarget): Promise<void> {
  for (const other of await readAddresses(owner)) {
    const overlap = overlapOf(new URL(address), new URL(other.address));
    if (overlap === null) continue;
    throw new CrossfootError(
      'delivery_refused',
      `Snapshots cannot be delivered there: it is ${overlap} target ${other.id} of account ${other.account_id}.`,
      { hint: 'Deliver to another folder, bucket or prefix, or remove that target first.' },
    );
  }
}

/** Prints the targets of an account. */
export async function list(
  owner: Client,
  { account, json }: Listing,
  context: CommandContext,
): Promise<void> {
  await requireAccount(owner, account);
  printList(context, await listTargets(owner, account), {
    json,
    asJson: ({ created_at, ...target }) => ({ ...target, created_at: formatInstant(created_at) }),
    columns: {
      id: ({ id }) => String(id),
      target: ({ address }) => address,
      endpoint: ({ endpoint, region }) => endpoint ?? region ?? 'none',
      credentials: credentialsOf,
      delivered: ({ delivered }) => delivered ?? 'nothing yet',
      'newest delivery': shownDelivery,
      kept: ({ keep }) => (keep === null ? 'all' : String(keep)),
      added: ({ created_at }) => shownInstant(created_at),
    },
    none: `account ${account} has no targets of deliveries`,
  });
}

function credentialsOf({ address, has_secret }: ListedTarget): string {
  if (address.startsWith('file:')) return 'none';
  return has_secret ? 'its own, sealed' : 'of this program';
}

function shownDelivery({ snapshot_id, state, tries, fault }: ListedTarget): string {
  if (snapshot_id === null || state === null) return 'none yet';
  return [snapshot_id, state, fault === null ? '' : `after ${tries} tries: ${fault}`].join(' ').trim();
}

/** Tries the target now, and prints what works. */
export async function test(
  owner: Client,
  id: bigint,
  { account }: OfAccount,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  const target = await readTarget(owner, account, id);
  if (target === null) throw unknown(id, account);
  const store = inItsOwnWords(await openDeliveryTarget(settings, account, target));
  const isDeleted = await probeTarget(store, randomUUID);
  context.print(`target ${id} can be written, read and replaced${isDeleted ? ', and deleted from' : ''}`);
  if (!isDeleted) context.say('the object of this test, below probe/, could not be deleted');
  const { buckets, networks } = settings.deliveries;
  if (buckets.length + networks.length > 0)
    context.say(
      'Workers deliver: they need the same DELIVERY_BUCKETS and DELIVERY_NETWORKS as this command.',
    );
}

/** Removes a target. */
export async function remove(
  owner: Client,
  id: bigint,
  { account }: OfAccount,
  context: CommandContext,
): Promise<void> {
  if (!(await removeTarget(owner, account, id))) throw unknown(id, account);
  context.print(`target ${id} removed; what was delivered there stays`);
}

function unknown(id: bigint, account: bigint): CrossfootError {
  return new CrossfootError('not_found', `Account ${account} has no target ${id}.`, {
    hint: `npx --no crossfoot deliver list --account ${account} lists its targets.`,
  });
}

function unfit(reason: string): CrossfootError {
  return new CrossfootError('usage_invalid', `This target cannot be added: ${reason}.`);
}
