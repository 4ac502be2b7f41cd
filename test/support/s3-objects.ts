/** Objects as S3 keeps them: what each request of a store is answered. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface S3Request {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A promise of S3 that some work-alike does not keep. */
export type Quirk =
  | 'checks the condition, then writes'
  | 'ignores conditions'
  | 'ignores digests'
  | 'ignores ranges'
  | 'keeps what is deleted'
  | 'lists nothing';

interface StoredBytes {
  readonly body: Buffer;
  readonly modified: Date;
  /** Of the request that made it. */
  readonly headers: IncomingHttpHeaders;
}

/** How a work-alike states the SHA-256 of what it keeps, unlike S3. A bucket with such a quirk is sound, but proves nothing. */
export type DigestQuirk =
  | 'keeps any digest that it is sent'
  | 'states a digest when asked later alone'
  | 'states a digest at once alone'
  | 'does not know the header'
  | 'refuses each digest with a 501';

export interface S3Objects {
  readonly objects: Map<string, StoredBytes>;
  readonly uploads: Map<string, Map<number, Buffer>>;
  readonly quirks: Set<Quirk | DigestQuirk>;
  /** Keys that a stale listing does not know yet. */
  readonly hidden: Set<string>;
  pageKeys: number;
  /** True: the tag of a condition has no quotes, as in Ceph 16. */
  plainTags?: boolean;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export class S3Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/** Between check and write the process hears of what has arrived so often: of many creates at once some get between. */
const CHECK_TO_WRITE_TURNS = 50;
const NOTHING = Buffer.alloc(0);

/** The answer of a store that keeps its promises, but for its quirks. */
export async function answerTo(bucket: S3Objects, request: S3Request): Promise<S3Answer> {
  if (request.bucket !== 'scripted') throw new S3Refusal(404, 'NoSuchBucket');
  const upload = request.query.get('uploadId');
  switch (request.method) {
    case 'GET':
      return request.query.has('list-type') ? list(bucket, request) : get(bucket, request);
    case 'HEAD':
      return { ...get(bucket, request), status: 200 };
    case 'PUT':
      if (upload !== null) return putPart(bucket, request, upload);
      return await put(bucket, request);
    case 'POST':
      return upload === null ? beginUpload(bucket) : await completeUpload(bucket, request, upload);
    case 'DELETE':
      if (upload !== null) bucket.uploads.delete(upload);
      else if (!bucket.quirks.has('keeps what is deleted')) bucket.objects.delete(request.key);
      return { status: 204, headers: {}, body: NOTHING };
    default:
      throw new S3Refusal(405, 'MethodNotAllowed');
  }
}

async function put(bucket: S3Objects, request: S3Request): Promise<S3Answer> {
  const { objects, quirks } = bucket;
  const digest = createHash('sha256').update(request.body).digest();
  const signed = request.headers['x-amz-content-sha256'];
  const stored = quirks.has('does not know the header') ? undefined : digestSent(request);
  if (stored !== undefined && quirks.has('refuses each digest with a 501')) {
    throw new S3Refusal(501, 'NotImplemented');
  }
  if (!quirks.has('ignores digests')) {
    if (signed !== 'UNSIGNED-PAYLOAD' && signed !== digest.toString('hex')) {
      throw new S3Refusal(400, 'XAmzContentSHA256Mismatch');
    }
    const isWrong = stored !== undefined && stored !== digest.toString('base64');
    if (isWrong && !quirks.has('keeps any digest that it is sent')) throw new S3Refusal(400, 'BadDigest');
  }
  refuseTaken(bucket, request);
  if (quirks.has('checks the condition, then writes')) {
    // One sleep could end before anything else is heard of, on a machine that is busy.
    for (let turn = 0; turn < CHECK_TO_WRITE_TURNS; turn += 1) await sleep(1);
  }
  objects.set(request.key, { body: request.body, modified: new Date(), headers: request.headers });
  const headers = quirks.has('states a digest when asked later alone') ? {} : digestHeader(stored);
  return { status: 200, headers: { etag: etagOf(request.body), ...headers }, body: NOTHING };
}

function digestSent({ headers }: Pick<S3Request, 'headers'>): string | undefined {
  const sent = headers['x-amz-checksum-sha256'];
  return typeof sent === 'string' ? sent : undefined;
}

function digestHeader(digest: string | undefined): Readonly<Record<string, string>> {
  return digest === undefined ? {} : { 'x-amz-checksum-sha256': digest };
}

function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
}

function refuseTaken({ objects, quirks, plainTags }: S3Objects, { key, headers }: S3Request): void {
  const { 'if-match': wanted } = headers;
  const found = objects.get(key);
  if (wanted !== undefined && !quirks.has('ignores conditions')) {
    if (found === undefined) throw new S3Refusal(404, 'NoSuchKey');
    const tag = etagOf(found.body);
    const same = plainTags === true ? wanted === tag.replaceAll('"', '') : wanted === tag;
    if (!same) throw new S3Refusal(412, 'PreconditionFailed');
  }
  const conditional = headers['if-none-match'] === '*' && !quirks.has('ignores conditions');
  if (conditional && found !== undefined) throw new S3Refusal(412, 'PreconditionFailed');
}

function get({ objects, quirks }: S3Objects, request: S3Request): S3Answer {
  const found = objects.get(request.key);
  if (found === undefined) throw new S3Refusal(404, 'NoSuchKey');
  const { body, modified } = found;
  const asked = request.headers['x-amz-checksum-mode'] === 'ENABLED';
  const forgets = (['does not know the header', 'states a digest at once alone'] as const).some((each) =>
    quirks.has(each),
  );
  const headers = {
    ...(asked && !forgets ? digestHeader(digestSent(found)) : {}),
    'last-modified': modified.toUTCString(),
    'content-length': String(body.length),
    etag: etagOf(body),
  };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined || quirks.has('ignores ranges')) return { status: 200, headers, body };
  if (Number(first) >= body.length) throw new S3Refusal(416, 'InvalidRange');
  const part = body.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${body.length}`;
  const length = { 'content-length': String(part.length), 'content-range': range };
  return { status: 206, headers: { ...headers, ...length }, body: part };
}

function list({ objects, quirks, hidden, pageKeys }: S3Objects, { query }: S3Request): S3Answer {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(prefix) && key > after && !hidden.has(key))
    .filter(() => !quirks.has('lists nothing'))
    .toSorted();
  const page = keys.slice(0, pageKeys);
  const more = keys.length > page.length;
  const token = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  return xml(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${token}${contents}</ListBucketResult>`);
}

function beginUpload({ uploads }: S3Objects): S3Answer {
  const id = `upload-${uploads.size + 1}`;
  uploads.set(id, new Map());
  return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
}

function putPart({ uploads }: S3Objects, { query, body }: S3Request, id: string): S3Answer {
  const part = Number(query.get('partNumber'));
  uploads.get(id)?.set(part, body);
  return { status: 200, headers: { etag: `"part-${part}"` }, body: NOTHING };
}

async function completeUpload(bucket: S3Objects, request: S3Request, id: string): Promise<S3Answer> {
  refuseTaken(bucket, request);
  const parts = bucket.uploads.get(id);
  if (parts === undefined) throw new S3Refusal(404, 'NoSuchUpload');
  bucket.uploads.delete(id);
  const body = Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part));
  bucket.objects.set(request.key, { body, modified: new Date(), headers: request.headers });
  return xml('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
}

function xml(text: string): S3Answer {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(text) };
}

/** What S3 says beside the status of a refusal. */
export function errorXml(code: string): Buffer {
  return Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>scripted</Message></Error>`);
}
