/**
 * The object store in a bucket: S3, or an S3-compatible store with conditional writes. This file turns each call of the
 * store into a request; `s3-answers.ts` classifies the answers.
 */
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { CrossfootError, isCrossfootError } from '../errors.ts';
import { checkKey, checkPrefix } from './object-key.ts';
import { answerOf, storeError } from './s3-answers.ts';
import { receiving } from './s3-body.ts';
import { type BucketAccess, openClients, withFreshSignature } from './s3-client.ts';
import { type CreateOptions, createObject } from './s3-create.ts';
import { computesDigests } from './s3-digests.ts';
import { replaceObject } from './s3-replace.ts';
import type { ReplacingStore, StoredObject, Versioned } from './store.ts';
import { fromMs } from '../instant.ts';

/** How many times in a row a read may break without new bytes. Then the read fails. */
const MAX_BREAKS_IN_A_ROW = 3;
export interface S3StoreOptions extends BucketAccess, CreateOptions {
  /** `s3://bucket/prefix` */
  readonly location: URL;
  /** The form of its keys; that of published objects if omitted. */
  readonly keys?: RegExp;
}

/** Opens the store; it sends no request before the first call. */
export function openS3Store(options: S3StoreOptions): ReplacingStore {
  const clients = openClients(options);
  const Bucket = options.location.host;
  const path = options.location.pathname.replace(/^\/+|\/+$/g, '');
  const above = path === '' ? '' : `${path}/`;

  function placeOf(key: string): { Bucket: string; Key: string } {
    checkKey(key, options.keys);
    return { Bucket, Key: above + key };
  }

  /** Sends a request; null if the object does not exist. */
  async function asking<Answer>(
    step: string,
    ask: (client: S3Client) => Promise<Answer>,
  ): Promise<Answer | null> {
    try {
      return await withFreshSignature(clients.again, ask);
    } catch (error) {
      if (answerOf(error) === 'absent') return null;
      throw storeError(error, step);
    }
  }

  async function readVersion(key: string, cap_bytes: number): Promise<Versioned | null> {
    const place = placeOf(key);
    for (let breaks = 1; ; breaks += 1) {
      const answer = await asking('read', (client) => client.send(new GetObjectCommand(place)));
      if (answer === null) return null;
      const body = bodyOf(answer);
      const size = answer.ContentLength;
      try {
        if (size === undefined) throw incomplete('read');
        if (size > cap_bytes) throw tooLarge(key, size, cap_bytes);
        const pieces = [];
        for await (const piece of receiving(body, size)) pieces.push(piece);
        return { bytes: new Uint8Array(Buffer.concat(pieces)), version: answer.ETag ?? '' };
      } catch (error) {
        body.destroy();
        const failure = storeError(error, 'read');
        if (failure.code !== 'store_outcome_unknown' || breaks === MAX_BREAKS_IN_A_ROW) throw failure;
      }
    }
  }

  async function stat(key: string): Promise<StoredObject | null> {
    const place = placeOf(key);
    const answer = await asking('stat', (client) => client.send(new HeadObjectCommand(place)));
    if (answer === null) return null;
    const { ContentLength, LastModified } = answer;
    if (ContentLength === undefined || LastModified === undefined) throw incomplete('stat');
    return {
      size: ContentLength,
      created_at: fromMs(LastModified.getTime()),
    };
  }

  // A broken read is resumed where it broke, because the bucket closes the connection of a slow reader. This is safe: an
  // object never changes.
  async function* readRange(key: string, offset: number, length: number): AsyncGenerator<Uint8Array> {
    placeOf(key);
    if (length === 0 && (await stat(key)) === null) throw missing(key);
    let breaks = 0;
    for (let done = 0; done < length;) {
      try {
        for await (const piece of openRange(key, offset + done, length - done)) {
          done += piece.length;
          breaks = 0;
          yield piece;
        }
      } catch (error) {
        const failure = storeError(error, 'read');
        breaks += 1;
        if (!isCrossfootError(failure, 'store_outcome_unknown') || breaks === MAX_BREAKS_IN_A_ROW)
          throw failure;
      }
    }
  }

  async function* openRange(key: string, offset: number, length: number): AsyncGenerator<Uint8Array> {
    const last = offset + length - 1;
    const range = { ...placeOf(key), Range: `bytes=${offset}-${last}` };
    const answer = await asking('read', (client) => client.send(new GetObjectCommand(range))).catch(
      (error: unknown) => {
        if (isCrossfootError(error) && answerOf(error.cause) === 'too short') return null;
        throw error;
      },
    );
    if (answer === null) throw missing(key);
    const body = bodyOf(answer);
    const [, from, to, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.ContentRange ?? '') ?? [];
    if (Number(from) === offset && Number(to) === last) {
      yield* receiving(body, length);
      return;
    }
    body.destroy();
    throw size !== undefined && Number(size) <= last ? missing(key) : incomplete('read a range of');
  }

  async function* list(prefix: string): AsyncGenerator<string> {
    checkPrefix(prefix);
    const input = { Bucket, Prefix: above + prefix };
    for (let next: string | undefined; ;) {
      const page = { ...input, ...(next === undefined ? {} : { ContinuationToken: next }) };
      const answer = await asking('list', (client) => client.send(new ListObjectsV2Command(page)));
      // A 404 without an error code is not an empty listing.
      if (answer === null) throw incomplete('list');
      for (const { Key = '' } of answer.Contents ?? []) yield Key.slice(above.length);
      if (answer.IsTruncated !== true) return;
      next = answer.NextContinuationToken;
      // Without a continuation token the first page would be listed again, for ever.
      if (next === undefined) throw incomplete('list');
    }
  }

  let computes = false;
  return {
    create: async (key, body, onDigest) =>
      await createObject(clients, placeOf(key), body, options, computes ? onDigest : undefined),
    async computesDigests(wrong, right) {
      computes = await computesDigests(clients.once, placeOf(wrong), placeOf(right), options);
      return computes;
    },
    replace: async (key, body, version) =>
      await replaceObject(clients, placeOf(key), { body, version }, options),
    readVersion,
    readSmall: async (key, cap_bytes) => (await readVersion(key, cap_bytes))?.bytes ?? null,
    stat,
    readRange,
    list,
    async delete(key) {
      const place = placeOf(key);
      await asking('delete', (client) => client.send(new DeleteObjectCommand(place)));
    },
  };
}

function bodyOf(answer: GetObjectCommandOutput): Readable {
  return answer.Body as Readable; // in Node the SDK returns the stream of the connection
}

function missing(key: string): CrossfootError {
  return new CrossfootError('store_object_missing', 'store: an object is missing or too short.', {
    data: { key },
  });
}

function tooLarge(key: string, size: number, cap_bytes: number): CrossfootError {
  return new CrossfootError(
    'store_object_too_large',
    `store: an object has ${size} bytes; at most ${cap_bytes} are allowed.`,
    { data: { key, size, cap_bytes } },
  );
}

function incomplete(step: string): CrossfootError {
  return new CrossfootError(
    'store_outcome_unknown',
    `store: the bucket's answer to the request to ${step} an object is not a valid one.`,
    { data: { step } },
  );
}
