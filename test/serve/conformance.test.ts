import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from './fake-parts.ts';
import { ask } from './http/raw-http.ts';
import { COSTS, NEWER_ID, publishCompany } from './stored-company.ts';

const SIZE = COSTS.length;
const BLOCK = 1_048_576;
const SHA256 = createHash('sha256').update(COSTS).digest();
const ETAG = `"${SHA256.toString('hex')}"`;
const DATE = 'Sat, 21 Nov 2026 02:00:00 GMT';

type Method = 'GET' | 'HEAD';
type Sent = Readonly<Record<string, string>>;
interface Expected {
  readonly status: number;
  /** The bytes that come, `from` and `to` inclusive; HEAD names them and sends none. */
  readonly bytes?: readonly [from: number, to: number];
}

const WHOLE_FILE: Expected = { status: 200, bytes: [0, SIZE - 1] };
const UNCHANGED: Expected = { status: 304 };
const FAILED: Expected = { status: 412 };
const BEYOND: Expected = { status: 416 };

function part(from: number, to: number): Expected {
  return { status: 206, bytes: [from, to] };
}

/** A Range header alone: what GET gets. HEAD never has a range. */
const RANGES: readonly (readonly [range: string, expected: Expected])[] = [
  ['bytes=0-0', part(0, 0)],
  ['bytes=0-9', part(0, 9)],
  [`bytes=0-${SIZE - 1}`, part(0, SIZE - 1)],
  [`bytes=0-${SIZE + 5}`, part(0, SIZE - 1)],
  ['bytes=0-', part(0, SIZE - 1)],
  [`bytes=${SIZE - 1}-`, part(SIZE - 1, SIZE - 1)],
  [`bytes=${BLOCK - 1}-${BLOCK}`, part(BLOCK - 1, BLOCK)],
  [`bytes=${BLOCK}-${2 * BLOCK - 1}`, part(BLOCK, 2 * BLOCK - 1)],
  [`bytes=10-${2 * BLOCK + 10}`, part(10, 2 * BLOCK + 10)],
  ['bytes=-8', part(SIZE - 8, SIZE - 1)],
  [`bytes=-${SIZE}`, part(0, SIZE - 1)],
  [`bytes=-${SIZE + 1}`, part(0, SIZE - 1)],
  [`bytes=${SIZE}-`, BEYOND],
  [`bytes=${SIZE}-${SIZE + 9}`, BEYOND],
  ['bytes=-0', BEYOND],
  ['bytes=0-1,5-6', WHOLE_FILE],
  ['bytes=0-1, bytes=5-6', WHOLE_FILE],
  ['bytes=9-1', WHOLE_FILE],
  ['bytes=', WHOLE_FILE],
  ['rows=0-9', WHOLE_FILE],
];

/** Conditions beside `Range: bytes=0-9`: what GET gets, what HEAD gets, and whether they name this very file. */
const CONDITIONS: readonly (readonly [sent: Sent, get: Expected, head: Expected, names: boolean])[] = [
  [{}, part(0, 9), WHOLE_FILE, false],
  [{ 'if-range': ETAG }, part(0, 9), WHOLE_FILE, true],
  [{ 'if-range': '"stale"' }, WHOLE_FILE, WHOLE_FILE, false],
  [{ 'if-range': `W/${ETAG}` }, WHOLE_FILE, WHOLE_FILE, false],
  [{ 'if-range': DATE }, WHOLE_FILE, WHOLE_FILE, false],
  [{ 'if-range': '*' }, WHOLE_FILE, WHOLE_FILE, false],
  [{ 'if-range': `${ETAG}, "stale"` }, WHOLE_FILE, WHOLE_FILE, false],
  [{ 'if-none-match': ETAG }, UNCHANGED, UNCHANGED, false],
  [{ 'if-none-match': `"stale", W/${ETAG}` }, UNCHANGED, UNCHANGED, false],
  [{ 'if-none-match': '*' }, UNCHANGED, UNCHANGED, false],
  [{ 'if-none-match': '"stale"' }, part(0, 9), WHOLE_FILE, false],
  [{ 'if-match': ETAG }, part(0, 9), WHOLE_FILE, true],
  [{ 'if-match': '*' }, part(0, 9), WHOLE_FILE, false],
  [{ 'if-match': ' * ' }, part(0, 9), WHOLE_FILE, false],
  [{ 'if-match': '*', 'if-range': ETAG }, part(0, 9), WHOLE_FILE, true],
  [{ 'if-match': `"stale", ${ETAG}` }, part(0, 9), WHOLE_FILE, true],
  [{ 'if-match': '"stale"' }, FAILED, FAILED, false],
  [{ 'if-match': `W/${ETAG}` }, FAILED, FAILED, false],
  [{ 'if-match': '"stale"', 'if-range': ETAG }, FAILED, FAILED, true],
  [{ 'if-match': '"stale"', 'if-none-match': ETAG }, FAILED, FAILED, false],
  [{ 'if-match': ETAG, 'if-none-match': ETAG }, UNCHANGED, UNCHANGED, true],
  [{ 'if-match': ETAG, 'if-range': '"stale"' }, WHOLE_FILE, WHOLE_FILE, true],
  [{ 'if-none-match': ETAG, 'if-range': '"stale"' }, UNCHANGED, UNCHANGED, false],
  [{ 'if-modified-since': DATE, 'if-unmodified-since': DATE }, part(0, 9), WHOLE_FILE, false],
];

type Row = readonly [method: Method, sent: Sent, expected: Expected];

function rangesWith(conditions: Sent): readonly Row[] {
  return RANGES.flatMap(([range, expected]): readonly Row[] => [
    ['GET', { range, ...conditions }, expected],
    ['HEAD', { range, ...conditions }, WHOLE_FILE],
  ]);
}

/** The requests that name the file: every address answers them alike. */
const NAMING: readonly Row[] = [
  ...rangesWith({ 'if-range': ETAG }),
  ...rangesWith({ 'if-match': ETAG }),
  ...conditionsThat(true),
  ['GET', { 'if-match': ETAG }, WHOLE_FILE],
];

const NAMELESS: readonly Row[] = [
  ['GET', {}, WHOLE_FILE],
  ['HEAD', {}, WHOLE_FILE],
  ...rangesWith({}),
  ...conditionsThat(false),
  // Preconditions are decided before the range is looked at.
  ['GET', { range: `bytes=${SIZE}-`, 'if-none-match': ETAG }, UNCHANGED],
  ['GET', { range: `bytes=${SIZE}-`, 'if-match': '"stale"' }, FAILED],
  ['GET', { range: `bytes=${SIZE}-`, 'if-range': '"stale"' }, WHOLE_FILE],
];

function conditionsThat(name: boolean): readonly Row[] {
  return CONDITIONS.filter(([, , , names]) => names === name).flatMap(([sent, get, head]): readonly Row[] => [
    ['GET', { range: 'bytes=0-9', ...sent }, get],
    ['HEAD', { range: 'bytes=0-9', ...sent }, head],
  ]);
}

const PINNED = `/v1/reporting/snapshots/${NEWER_ID}/costs.parquet`;
const ACCEPTS = { 'accept-ranges': 'bytes' };
const LATEST = { 'cache-control': 'private, no-cache, no-transform', 'content-location': PINNED };
const BY_ID = { 'cache-control': 'private, max-age=1209600, immutable, no-transform' };

/** No range is taken of `latest` unless the request names the file: it might be the next file's. */
const wholeFile = ([method, sent, expected]: Row): Row => [
  method,
  sent,
  [206, 416].includes(expected.status) ? WHOLE_FILE : expected,
];

/** Requests by address, each with what goes with every answer about the file, and with its body. */
const TABLES: readonly (readonly [
  title: string,
  path: string,
  stored: Sent,
  body: Sent,
  rows: readonly Row[],
])[] = [
  ['the address by id', PINNED, BY_ID, ACCEPTS, [...NAMELESS, ...NAMING]],
  ['latest, naming the file', '/v1/reporting/latest/costs.parquet', LATEST, ACCEPTS, NAMING],
  ['latest', '/v1/reporting/latest/costs.parquet', LATEST, {}, NAMELESS.map(wholeFile)],
];

/** Every header of ours that the answer must have, and none but these. */
function headersOf({ status, bytes }: Expected, ofTheAddress: Sent, ofBody: Sent, length: number): Sent {
  const always = { 'x-content-type-options': 'nosniff', 'x-request-id': '', vary: 'Authorization' };
  const error = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  if (status === 412) return { ...always, ...error, 'content-length': String(length) };
  if (status === 416) {
    return { ...always, ...error, 'content-length': String(length), 'content-range': `bytes */${SIZE}` };
  }
  const stored = {
    ...always,
    ...ofTheAddress,
    etag: ETAG,
    'x-snapshot-id': NEWER_ID,
    'repr-digest': `sha-256=:${SHA256.toString('base64')}:`,
  };
  if (bytes === undefined) return stored;
  const [from, to] = bytes;
  return {
    ...stored,
    ...ofBody,
    'content-disposition': 'attachment; filename="costs.parquet"',
    'content-length': String(to - from + 1),
    'content-type': 'application/vnd.apache.parquet',
    ...(status === 206 && { 'content-range': `bytes ${from}-${to}/${SIZE}` }),
  };
}

describe.each(TABLES)('the route %s over the wire', (_, path, ofTheAddress, ofBody, rows) => {
  let company: Awaited<ReturnType<typeof publishCompany>>;
  let server: Awaited<ReturnType<typeof company.serve>>;
  beforeAll(async () => {
    company = await publishCompany();
    server = await company.serve();
  });
  afterAll(async () => {
    await server.close();
    await company.remove();
  });

  it.each(rows)('answers %s with %j as the table says', async (method, sent, expected) => {
    const seen = await ask(server.port, path, { method, token: TOKENS.personal, headers: { ...sent } });
    expect(seen.status).toBe(expected.status);
    // How many requests are left is another test's: it differs from one to the next.
    const { date, connection, ratelimit: _r, 'ratelimit-policy': _p, ...headers } = seen.headers;
    expect([connection, Number.isNaN(Date.parse(date ?? ''))]).toEqual(['close', false]);
    const length = Number(headers['content-length'] ?? 0);
    expect({ ...headers, 'x-request-id': '' }).toEqual(headersOf(expected, ofTheAddress, ofBody, length));
    expect(seen.cut).toBe(false);
    const [from, to] = method === 'GET' && expected.bytes !== undefined ? expected.bytes : [0, -1];
    const told = expected.status >= 400 && method === 'GET';
    expect(told || seen.body.equals(COSTS.subarray(from, to + 1))).toBe(true);
    const status = told
      ? (JSON.parse(seen.body.toString()) as { error: { status: number } }).error.status
      : 0;
    expect(status).toBe(told ? expected.status : 0);
  });
});
