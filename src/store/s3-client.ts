/** The SDK's clients for one bucket, without logging, redirects and automatic checksums. */
import { isIP, type LookupFunction } from 'node:net';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { BucketSettings } from '../store-settings.ts';
import { limitAnswers } from './s3-answer-size.ts';
import { answerOf } from './s3-answers.ts';

const CONNECT_MS = 5_000;
/** If the connection is silent for this long, the bucket's answer counts as lost. */
const IDLE_MS = 30_000;
/** Tries of the SDK, with its own jitter: enough for a restart of one server behind a load balancer. */
const READ_TRIES = 3;
/** S3-compatible stores have no regions and accept this one. */
const ANY_REGION = 'us-east-1';

// Errors are thrown and reported by the caller. The SDK would also write them to stderr, between our log lines.
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {}

export interface BucketAccess extends BucketSettings {
  /** If omitted, the SDK finds the credentials in the environment, in a profile or by the role of the machine. */
  readonly credentials?: NonNullable<S3ClientConfig['credentials']>;
  readonly idle_ms?: number;
  /** Resolves the host of each new connection, and may refuse its addresses; the system's if omitted. */
  readonly lookup?: LookupFunction;
  /** Whether AWS_ENDPOINT_URL, or a profile, can name no endpoint in place of Amazon's. */
  readonly ignoresEnvironment?: boolean;
}

export interface BucketClients {
  /** For calls that are not idempotent: no retries. */
  readonly once: S3Client;
  /** For reads, listings and deletions, which the SDK retries after a lost answer. */
  readonly again: S3Client;
}

/** Creates the clients; they connect on first use. */
export function openClients({
  endpoint,
  region,
  credentials,
  idle_ms = IDLE_MS,
  lookup,
  ignoresEnvironment = false,
}: BucketAccess): BucketClients {
  const config: S3ClientConfig = {
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true, region: ANY_REGION }),
    ...(region === null ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    // We send our own digest with every object and check digests ourselves. Some S3-compatible stores refuse the checksums
    // that the SDK would add.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    followRegionRedirects: false,
    ignoreConfiguredEndpointUrls: ignoresEnvironment,
    logger: SILENT,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: idle_ms,
      ...(lookup === undefined ? {} : { httpAgent: { lookup }, httpsAgent: { lookup } }),
    },
  };
  const once = new S3Client({ ...config, maxAttempts: 1 });
  const again = new S3Client({ ...config, maxAttempts: READ_TRIES, retryMode: 'standard' });
  for (const client of [once, again]) limitAnswers(client);
  if (lookup !== undefined) for (const client of [once, again]) lookUpAddresses(client, lookup);
  return { once, again };
}

/** A connection to an IP address looks nothing up, so its address is looked up before each request. */
function lookUpAddresses(client: S3Client, lookup: LookupFunction): void {
  client.middlewareStack.add(
    (next) => async (sent) => {
      const { request } = sent;
      const host = hasHost(request) ? request.hostname.replaceAll(/[[\]]/g, '') : '';
      if (isIP(host) !== 0) {
        await new Promise<void>((resolve, reject) => {
          lookup(host, { all: true }, (error) => (error === null ? resolve() : reject(error)));
        });
      }
      return await next(sent);
    },
    { step: 'finalizeRequest', name: 'lookUpAddresses' },
  );
}

function hasHost(request: unknown): request is { readonly hostname: string } {
  return typeof request === 'object' && request !== null && 'hostname' in request;
}

/**
 * Runs `send`, and repeats it once if the credentials or the signature's time were too old: with new credentials, and with the
 * time of the store, which the SDK took from the first answer. The refused first call changed nothing.
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
