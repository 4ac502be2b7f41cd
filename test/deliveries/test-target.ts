/** The bucket of a customer, as deliveries of tests open it. */
import { DELIVERED_KEY } from '../../src/store/object-key.ts';
import { openS3Store } from '../../src/store/s3.ts';
import type { ReplacingStore } from '../../src/store/store.ts';

/** A silence of so long counts as a lost answer. */
const IDLE_MS = 2_000;

const opened = new Map<string, ReplacingStore>();

/** Opens the target of this address at the scripted S3 of this endpoint; once, because a client takes long to make. */
export function openTestTarget(address: string, endpoint: string): ReplacingStore {
  const place = `${endpoint} ${address}`;
  const target = opened.get(place) ?? openTarget(address, endpoint);
  opened.set(place, target);
  return target;
}

function openTarget(address: string, endpoint: string): ReplacingStore {
  return openS3Store({
    location: new URL(address),
    endpoint,
    region: null,
    encryption: null,
    checksums: 'stored',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    keys: DELIVERED_KEY,
    idle_ms: IDLE_MS,
  });
}
