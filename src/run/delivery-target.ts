/** Opens the store of a delivery target: a folder, a bucket with a sealed key, or one with the credentials of the settings. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Settings } from '../config.ts';
import { overlapOf } from '../deliveries/target-address.ts';
import type { DeliveryTarget } from '../deliveries/targets.ts';
import { CrossfootError } from '../errors.ts';
import { createSeals, type Seals } from '../serve/auth/seals.ts';
import { realPathOf } from '../store/directories.ts';
import { openFolderTarget } from '../store/folder-replace.ts';
import { DELIVERED_KEY } from '../store/object-key.ts';
import type { ReplacingStore } from '../store/store.ts';
import { parseBucket } from '../store-settings.ts';
import { allowAddresses } from '../webhooks/allowed-addresses.ts';
import { guardedLookup } from '../webhooks/guarded-lookup.ts';
import { openSecretKeys } from './server/secret-keys.ts';

/** Every sealed key has this length, so a seal does not say how long a secret is. */
const CONTENT_BYTES = 1_024;
/** The region of a bucket whose target names none. */
const ANY_REGION = 'us-east-1';

const accessKey = z.object({ accessKeyId: z.string().min(1), secretAccessKey: z.string().min(1) });

/** The key of a bucket. */
export type AccessKey = z.infer<typeof accessKey>;

type TargetSettings = Pick<
  Settings,
  'bucket' | 'dataDir' | 'deliveries' | 'ledgerUrl' | 'objectStore' | 'secretKeys'
>;

/** Seals the key of a target; it opens only for the same account, address and endpoint. */
export async function sealKey(settings: TargetSettings, key: AccessKey, bound: string): Promise<string> {
  const text = JSON.stringify(key);
  if (Buffer.byteLength(text) > CONTENT_BYTES) throw refused('its key is too long');
  // Blanks after JSON change nothing.
  const content = Buffer.alloc(CONTENT_BYTES, ' ');
  content.write(text);
  return (await sealsOf(settings)).seal(content, bound);
}

/** The same key, sealed with the first of the SECRET_KEYS. Throws `delivery_refused` if no key opens the seal. */
export async function resealKey(settings: TargetSettings, sealed: string, bound: string): Promise<string> {
  return await sealKey(settings, openKey(await sealsOf(settings), sealed, bound), bound);
}

/** What a sealed key is bound to. */
export function boundTo(
  account_id: bigint,
  { address, endpoint }: Pick<DeliveryTarget, 'address' | 'endpoint'>,
): string {
  return JSON.stringify([String(account_id), address, endpoint]);
}

/** Throws `delivery_refused` unless snapshots may be delivered there. */
export async function requireTarget(settings: TargetSettings, target: DeliveryTarget): Promise<void> {
  const url = new URL(target.address);
  const overlap = overlapOf(await realUrl(url), await realUrl(settings.objectStore));
  if (overlap !== null || reachesStore(target, settings)) {
    throw refused(
      `it is ${overlap ?? 'inside'} the OBJECT_STORE`,
      'Deliver to another folder, bucket or prefix.',
    );
  }
  if (url.protocol === 'file:') return;
  if (target.sealed === null) return requireListed(url, target, settings);
  if (target.endpoint === null) return;
  const why = allowAddresses(settings.deliveries.networks).refuseUrl(new URL(target.endpoint));
  if (why !== null) {
    throw refused(
      `its endpoint is refused, because ${why}`,
      'Use a public https:// endpoint. Or list your own network in DELIVERY_NETWORKS, such as 10.0.0.0/8, for this command and for the workers.',
    );
  }
}

/** The credentials of the settings go only to buckets that the operator listed, at the endpoint of the settings. */
function requireListed(url: URL, { endpoint }: DeliveryTarget, { deliveries }: TargetSettings): void {
  const listed = deliveries.buckets.some((text) => {
    const bucket = parseBucket(text);
    return bucket !== null && ['equal to', 'inside'].includes(overlapOf(url, bucket) ?? '');
  });
  if (listed && endpoint === null) return;
  throw refused(
    endpoint === null ? 'DELIVERY_BUCKETS does not list its bucket' : 'it has an endpoint and no key',
    'Give the key of the bucket with --access-key and --secret-file.',
  );
}

/** True if the endpoint names our own bucket, so that the first folder of a path is a folder within it. */
function reachesStore({ endpoint }: DeliveryTarget, { objectStore }: TargetSettings): boolean {
  if (endpoint === null || objectStore.protocol !== 's3:') return false;
  return new URL(endpoint).hostname.startsWith(`${objectStore.host}.`);
}

/** Opens the target. Throws `delivery_refused` if snapshots may not be delivered there. */
export async function openDeliveryTarget(
  settings: TargetSettings,
  account_id: bigint,
  target: DeliveryTarget,
): Promise<ReplacingStore> {
  await requireTarget(settings, target);
  const url = new URL(target.address);
  if (url.protocol === 'file:') {
    return await openFolderTarget({ fs, root: fileURLToPath(url), randomUuid: randomUUID });
  }
  const { openS3Store } = await import('../store/s3.ts');
  const place = { location: url, keys: DELIVERED_KEY };
  if (target.sealed === null) return openS3Store({ ...settings.bucket, ...place });
  const credentials = openKey(await sealsOf(settings), target.sealed, boundTo(account_id, target));
  return openS3Store({
    ...place,
    credentials,
    endpoint: target.endpoint,
    region: target.region ?? (target.endpoint === null ? ANY_REGION : null),
    encryption: null,
    checksums: 'stored',
    lookup: guardedLookup(allowAddresses(settings.deliveries.networks)),
    // The key of a customer goes to the customer's store, also where AWS_ENDPOINT_URL names the store of this program.
    ignoresEnvironment: true,
  });
}

async function sealsOf(settings: TargetSettings): Promise<Seals> {
  return createSeals(await openSecretKeys(settings), {
    purpose: 'delivery target',
    content_bytes: CONTENT_BYTES,
  });
}

function openKey(seals: Seals, sealed: string, bound: string): AccessKey {
  const opened = seals.open(sealed, bound);
  if (opened !== null) return accessKey.parse(JSON.parse(opened.toString()));
  throw refused(
    'its secret was sealed with another key than the SECRET_KEYS',
    'Give this program the SECRET_KEYS with which the target was added, or remove the target and add it again.',
  );
}

/** The real address of a folder, without symbolic links. */
async function realUrl(url: URL): Promise<URL> {
  return url.protocol === 'file:' ? pathToFileURL(await realPathOf(fs, fileURLToPath(url))) : url;
}

function refused(why: string, hint?: string): CrossfootError {
  const options = hint === undefined ? {} : { hint };
  return new CrossfootError('delivery_refused', `Snapshots cannot be delivered there: ${why}.`, options);
}
