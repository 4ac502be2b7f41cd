/** A document at an address that a stranger chose: from where it is not read, and what is too much. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allowAddresses } from '../../src/webhooks/allowed-addresses.ts';
import { readDocument } from '../../src/webhooks/read-document.ts';
import { certifyLoopback } from '../rates/certificate.ts';

const certified = certifyLoopback();
const LIMIT = 64 * 1024;
const json = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));

let server: Server;
let origin: string;
const asked: string[] = [];
beforeAll(async () => {
  server = createServer(certified, ({ url = '' }, response) => {
    asked.push(url);
    const type = { 'content-type': url === '/text' ? 'text/html' : 'application/json' };
    if (url === '/never') return;
    if (url === '/trickle') return void response.writeHead(200, type).write('{');
    if (url === '/other-protocol') {
      response.writeHead(101, { upgrade: 'other', connection: 'upgrade' }).flushHeaders();
      return;
    }
    if (url === '/moved') response.writeHead(301, { ...type, location: '/ok' }).end('{}');
    else if (url === '/redirect') response.writeHead(302, { ...type, location: '/ok' }).end('{}');
    else if (url === '/missing') response.writeHead(404, type).end('{}');
    else if (url === '/limit') response.writeHead(200, type).end(json(LIMIT));
    else if (url === '/large') response.writeHead(200, type).end(json(LIMIT + 1));
    else if (url === '/broken') response.writeHead(200, type).end('{');
    else response.writeHead(200, type).end('{"a":1}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const local = { allowed: allowAddresses(['127.0.0.0/8']), ca: certified.cert };

describe('a document', () => {
  it.each([
    ['/ok', { a: 1 }],
    ['/limit', 'x'.repeat(LIMIT - 2)],
    ['/large', null],
    ['/redirect', null],
    ['/moved', null],
    ['/other-protocol', null],
    ['/missing', null],
    ['/text', null],
    ['/broken', null],
  ])('at %s is read or refused', async (path, read) => {
    expect(await readDocument(origin + path, local)).toEqual(read);
  });

  it('behind a redirect is not asked for', async () => {
    asked.length = 0;
    await readDocument(`${origin}/redirect`, local);
    expect(asked).toEqual(['/redirect']);
  });

  it.each(['/never', '/trickle'])('that does not come, or not whole, ends the wait: %s', async (path) => {
    expect(await readDocument(origin + path, { ...local, timeout_ms: 50 })).toBeNull();
  });

  it('is waited for 3 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    await readDocument(`${origin}/ok`, local);
    expect(timeout.mock.calls).toEqual([[3_000]]);
    timeout.mockRestore();
  });

  it('is not asked for over http, also where the address is allowed', async () => {
    asked.length = 0;
    expect(await readDocument(`${origin}/ok`.replace('https:', 'http:'), local)).toBeNull();
    expect(asked).toEqual([]);
  });

  it('of a server with a certificate of an unknown authority is refused', async () => {
    expect(await readDocument(`${origin}/ok`, { allowed: local.allowed })).toBeNull();
  });
});

describe('A-52: an address inside', () => {
  it.each([
    'https://127.0.0.1/c',
    'https://localhost/c',
    'https://[::1]/c',
    'https://[::ffff:127.0.0.1]/c',
    'https://10.0.0.1/c',
    'https://169.254.169.254/latest/meta-data',
    'https://192.168.0.1/c',
    'https://2130706433/c',
    'https://0x7f.1/c',
    'http://127.0.0.1/c',
    'http://8.8.8.8/c',
    'ftp://8.8.8.8/c',
    'https://user@8.8.8.8/c',
    'file:///etc/passwd',
  ])('is not asked, as the server is set up: %s', async (address) => {
    expect(await readDocument(address, { allowed: allowAddresses([]), ca: certified.cert })).toBeNull();
  });

  it('is not connected to at the port of a server that would answer', async () => {
    asked.length = 0;
    let connected = 0;
    server.on('connection', () => (connected += 1));
    const named = origin.replace('127.0.0.1', 'localhost');
    for (const address of [origin, named])
      expect(
        await readDocument(`${address}/ok`, { allowed: allowAddresses([]), ca: certified.cert }),
      ).toBeNull();
    expect([asked, connected]).toEqual([[], 0]);
  });
});
