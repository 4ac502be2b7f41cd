import { gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { compressText } from '../../../src/serve/http/compress-text.ts';
import { listen } from '../../../src/serve/http/server.ts';
import { describeTables } from '../../../src/tables/describe.ts';
import { bearer, fakeApp, FakeSnapshots, LATEST, linkTo, TOKENS } from '../fake-parts.ts';
import { exchange, parseAnswer } from './raw-http.ts';

const GZIP = { 'accept-encoding': 'gzip, deflate, br' };
const PINNED = `/v1/reporting/snapshots/${LATEST}`;

/** Files and texts that are all large enough to be compressed. */
class LargeFiles extends FakeSnapshots {
  override async readFile() {
    return new TextEncoder().encode(JSON.stringify({ checks: 'x'.repeat(4_096) }));
  }
  override async openCsv() {
    return new Blob(['a,b\r\n'.repeat(1_000)]).stream();
  }
  override async list(account_id: bigint) {
    const listed = await super.list(account_id);
    return Array.from({ length: 20 }, () => listed).flat();
  }
}

const { app } = fakeApp({ schema: describeTables(), snapshots: new LargeFiles() });

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const init = { method, headers: { ...bearer(TOKENS.personal).headers, ...headers } };
  const response = await app.request(path, init);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

const TEXTS = [
  '/v1/openapi.json',
  '/v1/reporting/schema.json',
  '/v1/reporting/snapshots',
  '/v1/reporting/load/duckdb.sql',
  '/v1/reporting/dbt/sources.yml',
  '/docs/site.css',
  '/docs/api',
  '/tables/costs',
];

describe.each(TEXTS)('a text of 1 kB and more: %s', (path) => {
  it('is compressed for a client that accepts gzip, and no other, to the same bytes', async () => {
    const plain = await ask(path);
    expect(plain.body.length).toBeGreaterThanOrEqual(1_024);
    for (const accepted of ['gzip, deflate, br', 'GZIP;q=0.1', '*']) {
      const packed = await ask(path, { 'accept-encoding': accepted });
      expect([accepted, packed.headers['content-encoding']]).toEqual([accepted, 'gzip']);
      expect(packed.headers['content-length']).toBeUndefined();
      expect(packed.body.length).toBeLessThan(plain.body.length);
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    }
    for (const refused of ['', 'identity', 'gzip;q=0', 'br', '*;q=0']) {
      const { headers, body } = await ask(path, { 'accept-encoding': refused });
      expect([refused, headers['content-encoding']]).toEqual([refused, undefined]);
      expect(headers['content-length']).toBe(String(body.length));
      expect(body.equals(plain.body)).toBe(true);
    }
  });

  it('has another tag in each encoding, either of which gets 304, and names the headers that it depends on', async () => {
    const plain = await ask(path);
    const packed = await ask(path, GZIP);
    const { etag = '' } = plain.headers;
    expect(etag).toMatch(/^"/);
    expect(packed.headers['etag']).toBe(`W/${etag}`);
    for (const { vary } of [plain.headers, packed.headers]) {
      const names = (vary ?? '').split(', ');
      expect(names).toContain('Accept-Encoding');
      expect(names.includes('Authorization')).toBe(path === '/v1/reporting/snapshots');
    }
    for (const tag of [etag, `W/${etag}`]) {
      const unchanged = await ask(path, { ...GZIP, 'if-none-match': tag });
      expect([unchanged.status, unchanged.headers['etag']]).toEqual([304, tag]);
      expect(unchanged.headers['vary']).toBe(plain.headers['vary']);
    }
  });

  it('answers HEAD like GET in either encoding', async () => {
    for (const accepted of [{}, GZIP, { 'accept-encoding': 'gzip;q=0' }]) {
      const [get, head] = [await ask(path, accepted), await ask(path, accepted, 'HEAD')];
      const lasting = { 'x-request-id': '', ratelimit: '' };
      expect({ ...head.headers, ...lasting }).toEqual({ ...get.headers, ...lasting });
      expect(head.body.length).toBe(0);
    }
  });
});

describe('the answer that is never compressed', () => {
  it.each([
    ['a Parquet file', `${PINNED}/costs.parquet`],
    ['a Parquet file by its link', linkTo('costs')],
    ['a CSV file', `${PINNED}/costs.csv`],
    ['a file whose digest the manifest holds', `${PINNED}/files/audit.json`],
    ['the list of digests', `${PINNED}/SHA256SUMS`],
    ['the links to files', `${PINNED}/links`],
    ['a small answer', '/healthz'],
    ['an error', '/v1/nothing'],
  ])('is %s', async (_, path) => {
    const plain = await ask(path);
    const asked = await ask(path, GZIP);
    expect(asked.headers['content-encoding']).toBeUndefined();
    expect(asked.headers['vary']).toBe(plain.headers['vary']);
    expect(asked.headers['etag']).toBe(plain.headers['etag']);
  });
});

it.each([
  ['accept-ranges', 'bytes'],
  ['content-digest', 'sha-256=:x:'],
  ['content-range', 'bytes 0-2047/4096'],
  ['repr-digest', 'sha-256=:x:'],
  ['cache-control', 'no-transform'],
  ['cache-control', 'private, no-store'],
])('an answer with %s: %s is sent as it is', async (name, value) => {
  const text = 'a'.repeat(2_048);
  const headers = { 'content-type': 'application/json', 'content-length': '2048', [name]: value };
  const one = new Hono().use(compressText).get('/', () => new Response(text, { headers }));
  const response = await one.request('/', { headers: GZIP });
  expect(await response.text()).toBe(text);
  expect(response.headers.get('vary')).toBeNull();
});

it('a file that is unchanged depends on no encoding', async () => {
  const path = `${PINNED}/costs.parquet`;
  const { headers } = await ask(path);
  const unchanged = await ask(path, { ...GZIP, 'if-none-match': headers['etag'] ?? '' });
  expect([unchanged.status, unchanged.headers['vary']]).toEqual([304, 'Authorization']);
});

it('a compressed answer comes whole over a connection of HTTP/1.1 and of HTTP/1.0', async () => {
  const server = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger: createLogger('silent') });
  const { body: plain } = await ask('/v1/reporting/schema.json');
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/reporting/schema.json`);
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(Buffer.from(await response.arrayBuffer()).equals(plain)).toBe(true);
  const lines = 'GET /v1/reporting/schema.json HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n';
  const { body } = parseAnswer(await exchange(server.port, lines));
  expect(gunzipSync(Buffer.from(body, 'latin1')).equals(plain)).toBe(true);
  await server.close(0);
});

const encodingOf = async (bytes: number, headers: Record<string, string>): Promise<string | null> => {
  const own = new Hono();
  own.use(compressText);
  own.get('/', (c) => c.body('x'.repeat(bytes), 200, { 'content-length': String(bytes), ...headers }));
  const { headers: sent } = await own.request('/', { headers: GZIP });
  return sent.get('content-encoding');
};

describe('the compressed answer', () => {
  const json = { 'content-type': 'application/json' };

  it('is a text of 1,024 bytes, and none of 1,023', async () => {
    expect([await encodingOf(1_024, json), await encodingOf(1_023, json)]).toEqual(['gzip', null]);
  });

  it('is no file, no stream of events, and no answer that holds a secret or whose bytes have a digest', async () => {
    for (const type of ['application/vnd.apache.parquet', 'text/event-stream', 'image/png']) {
      expect([type, await encodingOf(4_096, { 'content-type': type })]).toEqual([type, null]);
    }
    for (const more of [
      { 'cache-control': 'no-store' },
      { 'cache-control': 'private, no-store' },
      { 'cache-control': 'private, no-cache, no-transform' },
      { 'repr-digest': 'sha-256=:AAAA:' },
      { 'content-range': 'bytes 0-1/2' },
      { 'accept-ranges': 'bytes' },
    ]) {
      expect([more, await encodingOf(4_096, { ...json, ...more })]).toEqual([more, null]);
    }
    expect(await encodingOf(4_096, { ...json, 'cache-control': 'private, no-cache' })).toBe('gzip');
  });
});
