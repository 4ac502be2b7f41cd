/** Requests of many parts: refused as fast as one of few. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { listen, type Listener } from '../../src/serve/http/server.ts';
import { fakeApp, TOKENS } from '../serve/fake-parts.ts';
import { exchange, parseAnswer } from '../serve/http/raw-http.ts';

let server: Listener;
beforeAll(async () => {
  server = await listen(fakeApp().app.fetch, { host: '127.0.0.1', port: 0, logger: createLogger('silent') });
});
afterAll(() => server.close(0));

it.each([
  ['4,000 parameters', `?${'a&'.repeat(4_000)}`, 400],
  ['10,000 parameters, which no line holds', `?${'a&'.repeat(10_000)}`, 431],
  ['3,000 times the same one', `?${'limit=1&'.repeat(1_900)}`, 400],
  ['a parameter in brackets in brackets', `?limit${'[a]'.repeat(3_000)}=1`, 400],
  ['a limit of a thousand digits', `?limit=${'9'.repeat(1_000)}`, 400],
  ['a limit beyond the most', '?limit=501', 400],
  ['a path of 7,000 segments', '/a'.repeat(7_000), 404],
])('A-23: %s', async (_, end, status) => {
  const head = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${TOKENS.personal}\r\n`;
  const answer = await exchange(server.port, `GET /v1/cost_entries${end} HTTP/1.1\r\n${head}\r\n`);
  expect(parseAnswer(answer).status).toBe(status);
});
