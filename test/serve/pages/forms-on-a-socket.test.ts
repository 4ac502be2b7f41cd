import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { knownPaths } from '../../../src/serve/known-paths.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { exchange, parseAnswer } from '../http/raw-http.ts';

let server: Listener;
beforeAll(async () => {
  const { app } = fakeApp({ baseUrl: () => 'http://127.0.0.1:8787/v1' });
  server = await listen(app.fetch, {
    host: '127.0.0.1',
    port: 0,
    logger: createLogger('silent'),
    paths: knownPaths(app),
  });
});
afterAll(() => server.close(0));

/** Sends a form as a browser on that page does. */
async function post(path: string, body: string) {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost:8787',
    'Origin: http://localhost:8787',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ].join('\r\n');
  return parseAnswer(await exchange(server.port, `${head}\r\n\r\n${body}`));
}

it('a form is accepted at its own address, and at no other', async () => {
  const { status, headers } = await post('/sign-in', `token=${TOKENS.personal}`);
  expect([status, headers]).toEqual([303, expect.stringContaining('set-cookie: crossfoot=')]);
  expect((await post('/sign-out', 'form_token=')).status).toBe(303);
  expect((await post('/', 'a=b')).status).toBe(400);
});

it('a form that announces too large a body is refused before it is read', async () => {
  const { status, body } = await post('/sign-in', 'x'.repeat(4_097));
  expect([status, body]).toEqual([413, expect.stringContaining('A form may hold 4096 bytes.')]);
});
