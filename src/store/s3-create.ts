/** Creates an object in a bucket, unless an object with its key exists. */
import { createHash } from 'node:crypto';
import { PutObjectCommand, type PutObjectCommandInput, type S3Client } from '@aws-sdk/client-s3';
import type { BucketSettings } from '../store-settings.ts';
import { answerOf, storeError } from './s3-answers.ts';
import { asAnnounced, sending } from './s3-body.ts';
import { type BucketClients, withFreshSignature } from './s3-client.ts';
import type { Content } from './store.ts';

/** The maximum number of tries if the bucket receives damaged bytes. If all fail, the network is not the cause. */
const MAX_DAMAGED_TRIES = 3;
/** The maximum number of bytes that S3 accepts in one request. */
const SINGLE_PUT_BYTES = 5 * 1024 ** 3;
/** Size of a part in a multipart upload; memory holds two parts. */
const PART_BYTES = 64 * 1024 ** 2;
const MAX_PARTS = 10_000;

export interface CreateOptions extends Pick<BucketSettings, 'checksums' | 'encryption'> {
  readonly single_put_bytes?: number;
  readonly part_bytes?: number;
}

/** An object's place. */
export interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Creates the object unless the key exists; throws for any other answer. `onDigest` is called with the SHA-256 that the bucket
 * states in its answer, if it states one; of an upload in parts it has none.
 */
export async function createObject(
  clients: BucketClients,
  place: Place,
  body: Uint8Array | Content,
  options: CreateOptions,
  onDigest?: (sha256: string) => void,
): Promise<'created' | 'exists'> {
  const input = { ...place, ...encryption(options.encryption), IfNoneMatch: '*' };
  const inParts = !(body instanceof Uint8Array) && body.size > (options.single_put_bytes ?? SINGLE_PUT_BYTES);
  for (let tries = 1; ; tries += 1) {
    try {
      if (inParts) await putInParts(clients.again, input, body, options.part_bytes ?? PART_BYTES);
      else {
        const stated = await withFreshSignature(clients.once, (client) => put(client, input, body, options));
        if (stated !== undefined) onDigest?.(Buffer.from(stated, 'base64').toString('hex'));
      }
      return 'created';
    } catch (error) {
      const answer = answerOf(error);
      if (answer === 'stands') return 'exists';
      if (answer !== 'damaged' || tries === MAX_DAMAGED_TRIES) throw storeError(error, 'create');
    }
  }
}

/** Puts the object in one request; returns the SHA-256 that the bucket states, in base64. */
async function put(
  client: S3Client,
  input: PutObjectCommandInput,
  body: Uint8Array | Content,
  { checksums }: CreateOptions,
): Promise<string | undefined> {
  const { size, sha256 } =
    body instanceof Uint8Array
      ? { size: body.length, sha256: createHash('sha256').update(body).digest('hex') }
      : body;
  const request = (Body: NonNullable<PutObjectCommandInput['Body']>): PutObjectCommand => {
    const stored =
      checksums === 'stored' ? { ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64') } : {};
    const command = new PutObjectCommand({ ...input, ...stored, Body, ContentLength: size });
    signDigest(command, sha256);
    return command;
  };
  if (body instanceof Uint8Array) return (await client.send(request(body))).ChecksumSHA256;
  let stated: string | undefined;
  await sending(body, async (stream, abortSignal) => {
    stated = (await client.send(request(stream), { abortSignal })).ChecksumSHA256;
  });
  return stated;
}

/**
 * Includes the digest of the body in the signature. Every store that checks signatures then refuses other bytes, even if
 * it does not know the checksum header.
 */
export function signDigest(command: PutObjectCommand, sha256: string): void {
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }; // at this step it is an HTTP request
      headers['x-amz-content-sha256'] = sha256;
      return next(args);
    },
    { step: 'build', name: 'signDigest' },
  );
}

/**
 * Uploads an object that is too large for one request. The completing request has the create-if-absent condition. Its answer
 * may be a 200 with an error inside, which the SDK reads. A retry is safe: as for any create, `stands` may mean that this
 * upload succeeded before.
 */
async function putInParts(
  client: S3Client,
  input: PutObjectCommandInput,
  content: Content,
  part_bytes: number,
): Promise<void> {
  const [{ Upload }, { Readable }] = await Promise.all([
    // Load the library only when needed, which is rare.
    import('@aws-sdk/lib-storage'),
    import('node:stream'),
  ]);
  await new Upload({
    client,
    // The bucket checks each part by its signature; `asAnnounced` checks the digest of the whole.
    params: { ...input, Body: Readable.from(asAnnounced(content)), ContentLength: content.size },
    partSize: Math.max(part_bytes, Math.ceil(content.size / MAX_PARTS)),
    queueSize: 2,
  }).done();
}

/** The parameters of a request that encrypts the object so. */
export function encryption(
  wanted: BucketSettings['encryption'],
): Pick<PutObjectCommandInput, 'SSEKMSKeyId' | 'ServerSideEncryption'> {
  if (wanted === null) return {};
  if (wanted === 'AES256') return { ServerSideEncryption: 'AES256' };
  return wanted === 'aws:kms'
    ? { ServerSideEncryption: 'aws:kms' }
    : { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: wanted };
}
