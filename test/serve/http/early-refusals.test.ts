/** A refusal that leaves before the body has come is the only answer to its request, whatever comes after it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { knownPaths } from '../../../src/serve/known-paths.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';

const servers: Listener[] = [];
let generous: Listener;
let strict: Listener;
beforeAll(async () => {
  generous = await serve({ address: 1_000_000, token: 1_000_000 });
  strict = await serve({ address: 0, token: 0 });
});
afterAll(async () => {
  for (const server of servers) await server.close(0);
});

async function serve(limits: { address: number; token: number }): Promise<Listener> {
  const { app } = fakeApp({ limits, baseUrl: () => 'http://x/v1' });
  const server = await listen(app.fetch, {
    host: '127.0.0.1',
    port: 0,
    logger: createLogger('silent'),
    paths: knownPaths(app),
  });
  servers.push(server);
  return server;
}

const TOKEN = `Authorization: Bearer ${TOKENS.personal}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded\r\n';

/** Every kind of refusal that does not read the body: its name, its status, and the request's line and headers. */
const REFUSALS: readonly (readonly [name: string, status: number, head: string, isStrict?: true])[] = [
  ['a message without a token', 401, `POST /mcp HTTP/1.1\r\n${JSON_TYPE}`],
  ['a message with a wrong token', 401, `POST /mcp HTTP/1.1\r\nAuthorization: Bearer x\r\n${JSON_TYPE}`],
  ['a message from another origin', 403, `POST /mcp HTTP/1.1\r\nOrigin: http://y\r\n${TOKEN}${JSON_TYPE}`],
  ['a sign-in from another origin', 403, `POST /sign-in HTTP/1.1\r\nOrigin: http://y\r\n${FORM_TYPE}`],
  [
    'a query without a token',
    401,
    `POST /delta-sharing/shares/a/schemas/b/tables/c/query HTTP/1.1\r\n${JSON_TYPE}`,
  ],
  ['a body for a route that reads none', 400, `GET /healthz HTTP/1.1\r\n${JSON_TYPE}`],
  ['a body for no route', 404, `POST /register HTTP/1.1\r\n${JSON_TYPE}`],
  ['a message above the limit', 429, `POST /mcp HTTP/1.1\r\n${TOKEN}${JSON_TYPE}`, true],
  ['a sign-in above the limit', 429, `POST /sign-in HTTP/1.1\r\nOrigin: http://x\r\n${FORM_TYPE}`, true],
];

const CHUNKED = 'Host: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n';
const SIZED = 'Host: x\r\nContent-Length: 7\r\n\r\n{"a';

/** Sends the first bytes, and the others once one whole answer is there; gives the status of each answer. */
async function statusesOf(port: number, first: string, then: string, ended = false): Promise<number[]> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const answered = Promise.withResolvers<void>();
  const closed = once(socket, 'close');
  socket.on('error', () => socket.destroy());
  socket.on('close', () => answered.resolve());
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (isWhole(text)) answered.resolve();
  });
  socket.write(first, 'latin1');
  await answered.promise;
  if (ended) socket.end(then, 'latin1');
  else socket.write(then, 'latin1');
  await closed;
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
  return end !== -1 && text.length >= end + 4 + length;
}

const NEXT = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('a refusal before the body is the one answer', () => {
  it.each(REFUSALS)('to %s (%i)', async (_, status, head, isStrict) => {
    const { port } = isStrict === true ? strict : generous;
    const seen = await Promise.all([
      statusesOf(port, head + CHUNKED, 'zz\r\n'),
      statusesOf(port, head + CHUNKED, `zz\r\n${NEXT}`),
      statusesOf(port, head + CHUNKED, '', true),
      statusesOf(port, head + CHUNKED, '5\r\nab', true),
      statusesOf(port, head + SIZED, '":1', true),
      statusesOf(port, `${head}Connection: close\r\n${CHUNKED}`, 'zz\r\n'),
      // The rest of the body never comes.
      statusesOf(port, head + CHUNKED, '5\r\nab'),
      statusesOf(port, head + SIZED, '"'),
    ]);
    expect(seen).toEqual(seen.map(() => [status]));
  });
});

describe('a connection that stays open after a refusal before the body', () => {
  const [, status, head] = REFUSALS[1] ?? REFUSALS[0] ?? ['', 0, ''];

  it.each([
    ['chunked', CHUNKED, '4\r\n":1}\r\n0\r\n\r\n'],
    ['sized', SIZED, '":1}'],
  ])('answers the next request after the whole %s body', async (_, first, rest) => {
    expect(await statusesOf(generous.port, head + first, rest + NEXT)).toEqual([status, 200]);
  });

  it.each([
    ['chunked', CHUNKED, '4\r\n":1}\r\n0\r\n\r\n'],
    ['sized', SIZED, '":1}'],
  ])('refuses bytes that are no HTTP after the whole %s body', async (_, first, rest) => {
    expect(await statusesOf(generous.port, head + first, `${rest}hello\r\n\r\n`)).toEqual([status, 400]);
  });
});
