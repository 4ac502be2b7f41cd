/** The challenges of a 401 as they stand on the wire. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { fakeApp } from '../fake-parts.ts';
import { exchange } from './raw-http.ts';

let server: Listener;
beforeAll(async () => {
  const { app } = fakeApp();
  server = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger: createLogger('silent') });
});
afterAll(() => server.close(0));

const API = ['bearer realm="crossfoot"', 'basic realm="crossfoot", charset="utf-8"'];
const ASSISTANT = [
  'bearer realm="crossfoot", resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"',
];

it.each([
  ['GET', '/v1/roi', API],
  ['HEAD', '/v1/roi', API],
  ['GET', '/v1/reporting/latest/costs.parquet', API],
  ['GET', '/v1/initiatives?limit=1', API],
  ['GET', '/delta-sharing/shares', API],
  ['POST', '/mcp', ASSISTANT],
])('%s %s without a token gets one line for each scheme', async (method, path, expected) => {
  for (const more of ['', 'Authorization: Bearer wrong\r\n', 'Accept-Encoding: gzip\r\n']) {
    const request = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`;
    const [head = ''] = (await exchange(server.port, request)).toLowerCase().split('\r\n\r\n');
    const [status, ...lines] = head.split('\r\n');
    const challenges = lines.flatMap((line) => /^www-authenticate: (.*)$/.exec(line)?.[1] ?? []);
    expect([status, challenges]).toEqual(['http/1.1 401 unauthorized', expected]);
  }
});
