/** The body of a query, at a real socket: the server refuses a large one before the application reads it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { knownPaths } from '../../../src/serve/known-paths.ts';
import { MAX_QUERY_BYTES } from '../../../src/serve/sharing/sharing-path.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';

let server: Listener;
beforeAll(async () => {
  const logger = createLogger('silent');
  const { app } = fakeApp();
  server = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger, paths: knownPaths(app) });
});
afterAll(() => server.close(0));

const TABLE = '/delta-sharing/shares/crossfoot/schemas/reporting/tables/costs';

function post(path: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKENS.reporting}` };
  return fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body, headers });
}

it('the server reads a query of the maximum size, and refuses one byte more in the shape of the protocol', async () => {
  const answer = await post(`${TABLE}/query`, '{}'.padEnd(MAX_QUERY_BYTES));
  expect([answer.status, answer.headers.get('delta-table-version')]).toEqual([200, '2']);
  const refused = await post(`${TABLE}/query`, '{}'.padEnd(MAX_QUERY_BYTES + 1));
  expect(refused.status).toBe(413);
  expect(await refused.json()).toEqual({
    errorCode: 'REQUEST_TOO_LARGE',
    message: 'A query may hold 65536 bytes.',
  });
});

it('the server takes a body at no other path', async () => {
  expect((await post(`${TABLE}/metadata`, '{}')).status).toBe(400);
});
