/** A path without a route is answered 404 before anything is said of its body, parameters or token. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { knownPaths } from '../../../src/serve/known-paths.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { exchange } from './raw-http.ts';

let server: Listener;
const { app } = fakeApp({ limits: { address: 1_000_000, token: 1_000_000 } });
beforeAll(async () => {
  const paths = knownPaths(app);
  server = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger: createLogger('silent'), paths });
});
afterAll(() => server.close(0));

const UNKNOWN = [
  '/nothing',
  '/register',
  '/v1/nothing',
  '/v1/reporting/nothing/else',
  '/delta-sharing/nothing',
  '/mcp/nothing',
  '/docs/a/b',
  '/snapshots/a/b/c/d',
];
const HEADERS = ['', 'Authorization: Bearer wrong\r\n', `Authorization: Bearer ${TOKENS.personal}\r\n`];
const BODIES = [
  '\r\n',
  'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  'Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'Content-Length: 99999999\r\n\r\n',
  'Expect: 100-continue\r\nContent-Length: 5\r\n\r\n',
];

async function statusOf(method: string, path: string, rest: string, host = 'Host: localhost\r\n') {
  const text = await exchange(
    server.port,
    `${method} ${path} HTTP/1.1\r\n${host}Connection: close\r\n${rest}`,
  );
  return text.slice('HTTP/1.1 '.length, 'HTTP/1.1 404'.length);
}

describe('a path without a route', () => {
  it.each(UNKNOWN)('%s is 404, with any other fault of the request', async (path) => {
    const seen = new Set<string>();
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
      for (const headers of HEADERS)
        for (const body of BODIES)
          for (const query of ['', '?x=1&limit=no'])
            seen.add(await statusOf(method, path + query, headers + body));
    expect([...seen]).toEqual(['404']);
  });

  it('is refused for its host first', async () => {
    expect(await statusOf('POST', '/nothing', BODIES[1] ?? '', '')).toBe('400');
    expect(await statusOf('POST', '/nothing', BODIES[1] ?? '', 'Host: a b\r\n')).toBe('400');
  });

  it('tells a client that wants to register the way to sign in', async () => {
    const request = `POST /register HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${BODIES[1]}`;
    expect(await exchange(server.port, request)).toContain(
      'Send an access token in the header Authorization',
    );
  });
});

async function answerToExpected(target: string): Promise<string> {
  const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n`;
  return await exchange(server.port, `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
}

it('a body that waits for a Continue is asked for on a known route in absolute form, and not without a route', async () => {
  const asked = /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /;
  expect(await answerToExpected('http://localhost/mcp')).toMatch(asked);
  expect(await answerToExpected('/nothing')).toMatch(/^HTTP\/1\.1 404 /);
});

it.each([
  ['GET', '/v1/initiatives/999', '\r\n', '401'],
  ['GET', '/v1/reporting/snapshots/20990101T000000Z', '\r\n', '401'],
  ['GET', '/v1/roi', BODIES[1] ?? '', '400'],
  ['GET', '/v1/%72oi', BODIES[1] ?? '', '400'],
  ['POST', '/v1/roi', '\r\n', '405'],
])('%s %s of a known route without a token keeps its answer', async (method, path, rest, status) => {
  expect(await statusOf(method, path, rest)).toBe(status);
});
