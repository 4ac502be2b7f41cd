/** The assistant over real connections: clients of both protocols, and requests that no client of ours would send. */
import { Client as CurrentClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { TOOLS } from '../../../src/serve/assistant/all.ts';
import { MAX_BODY_BYTES } from '../../../src/serve/assistant/request-body.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { knownPaths } from '../../../src/serve/known-paths.ts';
import { type LiveCompany, openLive, tokenOf } from '../live/live-company.ts';
import { ask, exchange, parseAnswer } from '../http/raw-http.ts';

const IDENTITY = { name: 'a client', version: '1' };
const NO_TOOL = `There is no tool of that name; the tools are ${TOOLS.map(({ name }) => name).join(', ')}.`;
const CALL = { name: 'get_roi_summary', arguments: { window: 'all' } };

let company: LiveCompany;
let server: Listener;
beforeAll(async () => {
  company = await openLive('template_company', { readToday: async () => '2026-07-15' });
  server = await listen(company.app.fetch, {
    host: '127.0.0.1',
    port: 0,
    logger: createLogger('silent'),
    paths: knownPaths(company.app),
  });
});
afterAll(async () => {
  await server.close(0);
  await company.close();
});

const address = (): URL => new URL(`http://127.0.0.1:${server.port}/mcp`);
const asAccount = (account_id: number) => ({
  requestInit: { headers: { authorization: `Bearer ${tokenOf(account_id)}` } },
});

const list = async (account_id: number) =>
  await company.app.request('/mcp', {
    method: 'POST',
    headers: {
      host: 'localhost',
      authorization: `Bearer ${tokenOf(account_id)}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: PING,
  });

describe('a client', () => {
  it('of protocol 2026-07-28 lists the tools and calls one', async () => {
    const client = new CurrentClient(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new StreamableHTTPClientTransport(address(), asAccount(1)));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    const { structuredContent } = await client.callTool(CALL);
    expect(structuredContent).toMatchObject({ currency: 'USD', as_of: '2026-07-15' });
    await client.close();
  });

  it('of the 2025 protocols lists the tools and calls one, and gets the same answer', async () => {
    const current = new CurrentClient(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await current.connect(new StreamableHTTPClientTransport(address(), asAccount(1)));
    const earlier = new EarlierClient(IDENTITY);
    await earlier.connect(new EarlierTransport(address(), asAccount(1)));
    const { tools } = await earlier.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    const answer = await earlier.callTool(CALL);
    expect(answer.structuredContent).toEqual((await current.callTool(CALL)).structuredContent);
    await Promise.all([earlier.close(), current.close()]);
  });

  it('finds the quarters of its own account in the description, in a list of at most 24 kB', async () => {
    const lists = await Promise.all([1, 2].map(async (id) => (await list(id)).text()));
    // The first account's fiscal year begins in April, the second's in January.
    expect(lists[0]).toContain('\\"last quarter\\" window=fy2027-q1 (2026-04-01 to 2026-06-30)');
    expect(lists[1]).toContain('\\"last quarter\\" window=fy2026-q2 (2026-04-01 to 2026-06-30)');
    expect(Math.max(...lists.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(24_000);
  });

  it('without a valid token is not let in', async () => {
    const client = new EarlierClient(IDENTITY);
    const transport = new EarlierTransport(address(), asAccount(99));
    const connecting = client.connect(transport);
    await expect(connecting).rejects.toThrow('unknown, expired or no longer valid');
  });
});

const TOKEN = `Authorization: Bearer ${tokenOf(1)}\r\n`;
const JSON_TYPES = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';
const PING = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

/** A request for the assistant as bytes; the connection closes after it. */
function post(body: string, headers = '', host = '127.0.0.1'): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${TOKEN}${JSON_TYPES}${length}${headers}\r\n${body}`;
}

/** The message, with blanks in it that mean nothing. */
function padded(bytes: number): string {
  return PING.replace('{', `{${' '.repeat(bytes - PING.length)}`);
}

/** The one event of an answer. */
function told(answer: string): string | undefined {
  return /^data: .*$/m.exec(answer)?.[0];
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

describe('A-33: a raw request', () => {
  it('that is a plain question is answered', async () => {
    const answer = await exchange(server.port, post(PING));
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain('"get_roi_summary"');
  });

  it.each([
    ['initialize', undefined, 'initialize: params is missing or of the wrong type.'],
    [
      'initialize',
      { protocolVersion: 1 },
      'initialize: params.protocolVersion, params.capabilities, params.clientInfo are missing or of the wrong type.',
    ],
    ['tools/list', { cursor: 5 }, 'tools/list: params.cursor is missing or of the wrong type.'],
    ['tools/call', { name: 5 }, 'tools/call: params.name is missing or of the wrong type.'],
    ['tools/call', { name: 'constructor' }, NO_TOOL],
    ['tools/call', { name: '__proto__' }, NO_TOOL],
  ])('of %s with params %j is refused as invalid, in one sentence', async (method, params, message) => {
    const answer = await exchange(
      server.port,
      post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })),
    );
    expect(JSON.parse(parseAnswer(answer).body)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32_602, message },
    });
  });

  it.each([
    ['the public address', 'api.example.com', 200],
    ['this machine by name', 'localhost:8787', 200],
    ['a stranger that resolves to this machine', 'evil.example', 403],
    ['a name that begins as ours does', 'api.example.com.evil.example', 403],
  ])('for the host of %s (%s) gets %i', async (_, host, status) => {
    expect(statusOf(await exchange(server.port, post(PING, '', host)))).toBe(status);
  });

  it.each([
    ['our own', 'https://api.example.com', 200],
    ['this machine', 'http://127.0.0.1:3000', 200],
    ['a stranger', 'https://evil.example', 403],
    ['nobody', 'null', 403],
    ['no address at all', 'evil', 403],
  ])('from a page of %s (%s) gets %i', async (_, origin, status) => {
    expect(statusOf(await exchange(server.port, post(PING, `Origin: ${origin}\r\n`)))).toBe(status);
  });

  it('from a stranger is refused before its token is looked at', async () => {
    const bare = post(PING, 'Origin: https://evil.example\r\n').replace(TOKEN, '');
    expect(statusOf(await exchange(server.port, bare))).toBe(403);
  });

  it('of the most bytes is read, and one byte more is refused, whether it says so first or not', async () => {
    expect(statusOf(await exchange(server.port, post(padded(MAX_BODY_BYTES))))).toBe(200);
    const tooLong = padded(MAX_BODY_BYTES + 1);
    const refused = parseAnswer(await exchange(server.port, post(tooLong)));
    expect(refused.status).toBe(413);
    const chunks = `${tooLong.length.toString(16)}\r\n${tooLong}\r\n0\r\n\r\n`;
    const chunked = post('', 'Transfer-Encoding: chunked\r\n').replace('Content-Length: 0\r\n', '') + chunks;
    expect(statusOf(await exchange(server.port, chunked))).toBe(413);
  });

  it('that announces 10 MB is refused before they are sent', async () => {
    const announced = post('', 'Expect: 100-continue\r\n').replace(
      'Content-Length: 0',
      'Content-Length: 10485760',
    );
    const answer = await exchange(server.port, announced);
    expect(answer.startsWith('HTTP/1.1 413')).toBe(true);
  });

  it('that waits for 100-continue sends its message', async () => {
    const answer = await exchange(server.port, post(PING, 'Expect: 100-continue\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
  });

  it.each([
    ['a batch of two', `[${PING},${PING}]`, 400, -32_600],
    ['a batch of none', '[]', 400, -32_600],
    ['half a message', PING.slice(0, 20), 400, -32_700],
    ['no message', '', 400, -32_700],
    ['a word', '"hello"', 400, -32_600],
    ['a message of another protocol', '{"method":"tools/list"}', 400, -32_600],
    ['brackets in brackets', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 400, -32_600],
  ])('that holds %s is refused in the way of the protocol', async (_, body, status, code) => {
    const answer = await exchange(server.port, post(body));
    expect(statusOf(answer)).toBe(status);
    expect(answer).toContain(`"code":${code}`);
  });

  it('for a tool that is not there is an error of the protocol', async () => {
    const params = { name: 'delete_initiative', arguments: {} };
    const message = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    const answer = await exchange(server.port, post(message));
    expect(answer).toContain(`"error":{"code":-32602,"message":"${NO_TOOL}"}`);
  });

  it('with a session id of another client is answered as the token says', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_initiatives', arguments: {} },
    };
    const mine = await exchange(server.port, post(JSON.stringify(call)));
    const theirs = await exchange(server.port, post(JSON.stringify(call), 'Mcp-Session-Id: 2\r\n'));
    expect(told(theirs)).toBe(told(mine));
    expect(told(mine)).toContain('Quote drafting assistant');
  });

  it.each(['GET', 'DELETE', 'PUT'])(
    'by %s is refused: nothing is kept that it could be about',
    async (method) => {
      const answer = await exchange(
        server.port,
        `${method} /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${TOKEN}\r\n`,
      );
      expect(statusOf(answer)).toBe(405);
    },
  );

  it('of another type than JSON is refused', async () => {
    const answer = await exchange(server.port, post(PING).replace('application/json\r\n', 'text/plain\r\n'));
    expect(statusOf(answer)).toBe(415);
  });

  it('with a query is refused: a token in it would be logged on the way', async () => {
    const answer = parseAnswer(await exchange(server.port, post(PING).replace('/mcp ', '/mcp?token=x ')));
    expect(answer.status).toBe(400);
  });

  it('to a path below it finds nothing, with a body or without', async () => {
    expect((await ask(server.port, '/mcp/x', { token: tokenOf(1) })).status).toBe(404);
    expect(parseAnswer(await exchange(server.port, post(PING).replace('/mcp ', '/mcp/x '))).status).toBe(404);
  });
});
