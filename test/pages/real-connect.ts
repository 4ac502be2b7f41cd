/** Programs of others connect to the assistant of a first start with a click: consent in Chromium, then a tool answers. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Client as CurrentClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Folder } from '../commands/instances.ts';
import { REVISIONS } from '../serve/assistant/conformance-excuses.ts';
import { openProvider } from '../serve/connect/memory-provider.ts';
import {
  addressPrinted,
  allowInBrowser,
  CALLBACK,
  environmentIn,
  freePort,
  runAllowed,
} from './outside-client.ts';
import { openBrowser } from './watched-page.ts';

const IDENTITY = { name: 'a client', version: '1' };
const CALL = { name: 'get_roi_summary', arguments: { window: 'all' } };
/** What the tool answers of the fixture company. */
const ANSWERED = { currency: 'USD', as_of: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };

let folder: Folder;
let browser: Browser;
let origin: string;
let token: string;
beforeAll(async () => {
  folder = await Folder.make();
  const ready = await folder.run(['start']).said(/^ready /);
  origin = ready.replace('ready ', '');
  token = (await folder.demo())['TOKEN'] ?? '';
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await folder?.[Symbol.asyncDispose]();
});

/** Where the program of a test keeps its files. */
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'crossfoot-client-'));
});
afterEach(() => rm(home, { recursive: true }));

const createCurrent = () =>
  new CurrentClient(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });

const allow = (address: string) => allowInBrowser(browser, address, token);

describe('the official client without a token', () => {
  it('of protocol 2025-11-25 leads to consent, and a tool answers', async () => {
    const { provider, led } = openProvider(CALLBACK);
    const open = () => new EarlierTransport(new URL(`${origin}/mcp`), { authProvider: provider });
    const refused = open();
    await expect(new EarlierClient(IDENTITY).connect(refused)).rejects.toThrow('Unauthorized');
    const { to } = await allow(String(led[0]));
    await refused.finishAuth(to.searchParams.get('code') ?? '');
    const client = new EarlierClient(IDENTITY);
    await client.connect(open());
    expect((await client.callTool(CALL)).structuredContent).toMatchObject(ANSWERED);
    await client.close();
  });

  it('of protocol 2026-07-28 leads to consent, checks who answers, and a tool answers', async () => {
    const { provider, led } = openProvider(CALLBACK);
    const open = () =>
      new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider });
    const refused = open();
    await expect(createCurrent().connect(refused)).rejects.toThrow('Unauthorized');
    const { to } = await allow(String(led[0]));
    await refused.finishAuth(to.searchParams);
    const client = createCurrent();
    await client.connect(open());
    expect((await client.callTool(CALL)).structuredContent).toMatchObject(ANSWERED);
    await client.close();
  });
});

/** What the official client asks for in a browser, with its headers; a browser hides answers that it may not show. */
const IN_BROWSER = (at: string): string => `(async () => {
  const version = { 'mcp-protocol-version': '2026-07-28' };
  const json = { ...version, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const asked = await fetch('${at}/mcp', { method: 'POST', headers: { ...json, authorization: 'Bearer x' }, body: '{}' });
  const [, metadata] = /resource_metadata="([^"]+)"/.exec(asked.headers.get('www-authenticate'));
  const resource = await (await fetch(metadata, { headers: version })).json();
  const [issuer] = resource.authorization_servers;
  const server = await (await fetch(issuer + '/.well-known/oauth-authorization-server', { headers: version })).json();
  const body = JSON.stringify({ redirect_uris: [location.origin + '/callback'] });
  const client = await (await fetch(server.registration_endpoint, { method: 'POST', headers: json, body })).json();
  const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: client.client_id };
  const refused = await fetch(server.token_endpoint, { method: 'POST', body: new URLSearchParams(fields) });
  return [asked.status, client.redirect_uris, (await refused.json()).error];
})()`;

it('a client in a page of this computer reads every answer', async () => {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end());
  await once(server.listen(0, 'localhost'), 'listening');
  const own = `http://localhost:${(server.address() as AddressInfo).port}`;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(own);
  expect(await page.evaluate(IN_BROWSER(origin))).toEqual([401, [`${own}/callback`], 'invalid_grant']);
  await context.close();
  server.close();
});

describe('a person whom the page of a client leads here', () => {
  const asked = new URLSearchParams({
    response_type: 'code',
    redirect_uri: CALLBACK,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  let elsewhere: Server;
  let client: string;
  beforeAll(async () => {
    elsewhere = createServer(({ url = '' }, response) => {
      const to = `${origin}/authorize?${asked.toString()}`;
      const written = to.replaceAll('&', '&amp;');
      // What follows the links are attacks: a form that answers the page of consent by itself, and the page in a frame.
      const attack = `<form method="post" action="${origin}/authorize"><button name="answer" value="allow">Post</button></form>`;
      const links = `<a href="${written}">Link</a> <a href="/redirect">Redirect</a>${attack}`;
      if (url === '/redirect') response.writeHead(302, { location: to }).end();
      else {
        response.setHeader('content-type', 'text/html');
        response.end(url === '/frame' ? `<iframe src="${written}"></iframe>` : links);
      }
    });
    await once(elsewhere.listen(0, 'localhost'), 'listening');
    client = `http://localhost:${(elsewhere.address() as AddressInfo).port}`;
    const registered = await fetch(`${origin}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Helper', redirect_uris: [CALLBACK] }),
    });
    asked.set('client_id', ((await registered.json()) as { client_id: string }).client_id);
  });
  afterAll(() => elsewhere.close());

  it.each(['Link', 'Redirect'])('signs in once, and not again for the %s', async (name) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(client);
    await page.getByRole('link', { name }).click();
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await page.goto(client);
    await page.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/authorize');
    await context.close();
  });

  it('allows nothing by a form of the other site, nor in a frame of it', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goto(client);
    await page.getByRole('button', { name: 'Post' }).click();
    await page.getByLabel('Access token').waitFor();
    await page.goto(`${client}/frame`);
    expect(await page.frameLocator('iframe').getByRole('button', { name: 'Allow' }).count()).toBe(0);
    await context.close();
  });
});

// `auto` asks for 2026-07-28 first, and `legacy` for 2025-11-25.
it.each(['legacy', 'auto'])('mcp-remote of the era %s leads to consent, and a tool answers', async (era) => {
  const transport = new StdioClientTransport({
    command: 'mcp-remote',
    args: [`${origin}/mcp`, String(await freePort()), '--protocol', era],
    env: environmentIn(home),
    stderr: 'pipe',
  });
  const client = new EarlierClient(IDENTITY);
  const connected = client.connect(transport);
  const { says } = await allow(await addressPrinted(transport.stderr as Readable));
  expect(says).toContain('successful');
  await connected;
  expect((await client.callTool(CALL)).structuredContent).toMatchObject(ANSWERED);
  await client.close();
});

it.each(['legacy', 'modern'])(
  'the inspector of the era %s leads to consent, and a tool answers',
  async (era) => {
    const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
    const server = ['--cli', `${origin}/mcp`, '--transport', 'http', '--protocol-era', era];
    const call = ['--method', 'tools/call', '--tool-name', CALL.name, '--tool-arg', 'window=all'];
    const args = [...server, '--callback-url', callback, ...call];
    const printed = await runAllowed('mcp-inspector', args, { home, allow, prints: 'stderr' });
    expect(JSON.parse(printed)).toMatchObject({ structuredContent: ANSWERED });
  },
);

it.each(REVISIONS)(
  'the official suite of %s finds an authorization server without a fault',
  async (revision) => {
    const port = await freePort();
    const registered = await fetch(`${origin}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const args = ['--url', origin, '--client-id', client_id, '--resource', `${origin}/mcp`];
    const suite = ['authorization', ...args, '--port', String(port), '--spec-version', revision];
    const printed = await runAllowed('conformance', suite, { home, allow, prints: 'stdout' });
    // All scenarios that the suite has for authorization servers.
    expect(printed.match(/^[✓✗].*$/gmu)).toEqual([
      '✓ authorization-server-metadata-endpoint: 2 passed, 0 failed',
      '✓ authorization-code-grant: 1 passed, 0 failed',
    ]);
  },
);
