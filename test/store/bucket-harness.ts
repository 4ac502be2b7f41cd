/** A store in the scripted S3, as tests open it. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src/clock.ts';
import { type S3StoreOptions, openS3Store } from '../../src/store/s3.ts';
import type { ReplacingStore, Store } from '../../src/store/store.ts';
import { BUCKET, type ScriptedS3 } from '../support/scripted-s3.ts';

const CREDENTIALS = { accessKeyId: 'key', secretAccessKey: 'secret' };

/** Waits for nothing. */
export const AT_ONCE: Clock = { now: () => 0n, sleep: async () => undefined, random: () => 0.5 };

/** A store below a prefix of its own, empty therefore. */
export function openScripted(s3: Pick<ScriptedS3, 'endpoint'>, options: Partial<S3StoreOptions> = {}): Store {
  return openScriptedTarget(s3, options);
}

/** The same, of which objects may be replaced. */
export function openScriptedTarget(
  s3: Pick<ScriptedS3, 'endpoint'>,
  options: Partial<S3StoreOptions> = {},
): ReplacingStore {
  return openS3Store({
    location: new URL(`s3://${BUCKET}/${randomUUID()}`),
    endpoint: s3.endpoint,
    region: null,
    encryption: null,
    checksums: 'stored',
    credentials: CREDENTIALS,
    ...options,
  });
}
