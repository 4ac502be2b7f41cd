/** The SDK's client for one bucket, with everything switched off that would act behind our back. */
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { BucketSettings } from '../store-settings.ts';
import { answerOf } from './s3-answers.ts';

const CONNECT_MS = 5_000;
/** How long a bucket may say nothing before its answer counts as lost. */
const IDLE_MS = 30_000;
/** Of the SDK, with its own jitter: enough for a restart of one server behind a balancer. */
const READ_TRIES = 3;
/** Work-alikes have no regions and accept this one. */
const ANY_REGION = 'us-east-1';

// What fails is thrown, and told by whoever catches it; the SDK would write to stderr between our lines.
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {}

export interface BucketAccess extends BucketSettings {
  /** Absent: found as by every AWS program, in the environment, a profile or the role of the machine. */
  readonly credentials?: NonNullable<S3ClientConfig['credentials']>;
  readonly idle_ms?: number;
}

export interface BucketClients {
  /** For what is not the same when it is sent twice; nothing is repeated. */
  readonly once: S3Client;
  /** For reads, listings and deletions, which are repeated after a lost answer. */
  readonly again: S3Client;
}

/** Makes the clients; they connect on first use. */
export function openClients({
  endpoint,
  region,
  credentials,
  idle_ms = IDLE_MS,
}: BucketAccess): BucketClients {
  const config: S3ClientConfig = {
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true, region: ANY_REGION }),
    ...(region === null ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    // We send a digest of our own with every object and check digests above the port: what the SDK would add makes
    // work-alikes stumble.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    followRegionRedirects: false,
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: idle_ms },
  };
  return {
    once: new S3Client({ ...config, maxAttempts: 1 }),
    again: new S3Client({ ...config, maxAttempts: READ_TRIES, retryMode: 'standard' }),
  };
}

/**
 * Runs `send` and, if the credentials or the clock of its signature were too old, once more with new ones: the SDK
 * has taken the time from the store's own answer by then. Such a call was refused, so it has changed nothing.
 */
export async function withFreshSignature<Result>(
  client: S3Client,
  send: (client: S3Client) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(client);
  } catch (error) {
    if (answerOf(error) !== 'stale') throw error;
    await client.config.credentials({ forceRefresh: true });
    return await send(client);
  }
}
