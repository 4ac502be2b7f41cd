/** The settings of the object store: its location, and the access to a bucket. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const CHECKSUMS = ['stored', 'signed'] as const;

/** How builds lay out the files of a snapshot in the store: see `snapshot/format/pack.ts`. */
export const LAYOUTS = ['objects', 'packed'] as const;
export type BuildLayout = (typeof LAYOUTS)[number];

/** Form and purpose of each setting, as in `config.ts`. */
export const STORE_SETTINGS = {
  OBJECT_STORE: {
    schema: z.string().transform(parseObjectStore).optional(),
    expected: 'file:<folder> or s3://<bucket>/<prefix>',
    absent: 'the folder `objects` below `DATA_DIR`',
    sentence: 'Where snapshots are published: a folder or a bucket.',
    secret: true, // people write credentials into the URL of a bucket
  },
  S3_ENDPOINT: {
    schema: z.string().refine(isSafeEndpoint).optional(),
    expected: 'an https:// URL without a path, or http:// on this machine',
    absent: "Amazon's own, for the region",
    sentence: 'The address of an S3-compatible store. The name of the bucket is part of the path.',
    secret: true,
  },
  AWS_REGION: {
    schema: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .optional(),
    expected: 'the name of a region',
    absent: 'that of the AWS profile; with `S3_ENDPOINT` `us-east-1`',
    sentence:
      'The region of the bucket. Credentials come from `AWS_ACCESS_KEY_ID` and its like, from `AWS_PROFILE`, or from the role of the machine.',
  },
  S3_ENCRYPTION: {
    schema: z
      .string()
      .regex(/^(?:AES256|aws:kms|arn:aws[a-z-]*:kms:\S+)$/)
      .optional(),
    expected: 'AES256, aws:kms or the ARN of a KMS key',
    absent: "the bucket's own default",
    sentence: 'The server-side encryption of every object.',
  },
  S3_CHECKSUMS: {
    schema: z.enum(CHECKSUMS).default('stored'),
    expected: `one of ${CHECKSUMS.join(', ')}`,
    absent: '`stored`',
    sentence:
      "`stored` sends an object's SHA-256 as a header, which the store keeps. Where the self-test shows that the store computes it, what a build stores is not read back. `signed` puts it into the signature only, for S3-compatible stores that refuse the header.",
  },
  BUILD_LAYOUT: {
    schema: z.enum(LAYOUTS).default('objects'),
    expected: `one of ${LAYOUTS.join(', ')}`,
    absent: '`objects`',
    sentence:
      '`objects` stores each file of a snapshot as an object, as earlier versions do. `packed` stores what only servers read as one object: a small account then needs a third of the calls. Set it once every server, worker and builder has this version: an earlier one refuses packed snapshots, and stays at the snapshot before them.',
  },
  DELIVERY_BUCKETS: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(z.string().refine((text) => parseBucket(text) !== null)))
      .default([]),
    expected: 's3://<bucket> or s3://<bucket>/<prefix>, separated by commas',
    absent: 'none',
    sentence:
      'Buckets that deliveries may write to with the credentials of this program, at its own `S3_ENDPOINT`. Every other bucket needs a key of its own: `npx --no crossfoot deliver add --access-key`.',
    secret: true,
  },
} as const;

/** Access to a bucket; not used for a folder. */
export interface BucketSettings {
  /** Null: Amazon's own endpoint. */
  readonly endpoint: string | null;
  /** Null: the SDK finds the region, such as in the AWS profile. */
  readonly region: string | null;
  /** Null: the bucket's default; else `AES256`, `aws:kms` or the ARN of a key. */
  readonly encryption: string | null;
  readonly checksums: (typeof CHECKSUMS)[number];
}

/** Reads `file:data/objects` as relative to the working folder, as people expect; URL parsing would not. */
function parseObjectStore(text: string, context: z.RefinementCtx): URL {
  const relative = /^file:(?!\/\/)(.+)$/.exec(text)?.[1];
  if (relative !== undefined) return pathToFileURL(resolve(relative));
  const url = URL.parse(text);
  if (url?.protocol === 'file:' && url.host === '' && url.pathname !== '/') return url;
  const bucket = parseBucket(text);
  if (bucket !== null) return bucket;
  context.addIssue({ code: 'custom', message: 'neither a folder nor a bucket' });
  return z.NEVER;
}

const BUCKET_NAME = /^[a-z0-9][a-z0-9._-]{1,62}$/;
const BUCKET_PREFIX = /^(?:\/[\w.-]+)*\/?$/;

/** The bucket and prefix in this text; null if it is neither. */
export function parseBucket(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && isBucket(url) ? url : null;
}

function isBucket({ protocol, host, pathname, username, search, hash }: URL): boolean {
  return (
    protocol === 's3:' &&
    BUCKET_NAME.test(host) &&
    BUCKET_PREFIX.test(pathname) &&
    username + search + hash === ''
  );
}

/** Plain http is allowed only on this machine, because credentials and figures are sent. */
function isSafeEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  const { protocol, hostname, pathname, username, search, hash } = url;
  const here = protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return (protocol === 'https:' || here) && pathname === '/' && username + search + hash === '';
}
