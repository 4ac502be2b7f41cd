/** What `doctor` says of the public address: real servers on loopback, and answers as a proxy may give them. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { examinePublicAddress, judgePublicAnswer } from '../../../src/commands/doctor/public-address.ts';
import { certifyLoopback } from '../../rates/certificate.ts';
import { serveHttps } from '../../rates/https-server.ts';

const ROOT = 'https://figures.example';
const AT = Date.UTC(2026, 10, 27, 12);
const now = (): bigint => BigInt(AT) * 1_000n;
const after = (seconds: number): string => new Date(AT + seconds * 1_000).toUTCString();

async function examined(answer: (root: string) => RequestListener, below = '') {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`; // it listens on a port
  server.on('request', answer(root));
  try {
    return { root, ...(await examinePublicAddress(`${root}/v1`, now)) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('the public address', () => {
  it('is fine if it names the assistant at that address and has the time of this machine', async () => {
    const { root, ...finding } = await examined((at) => (request, response) => {
      expect(request.url).toBe('/.well-known/oauth-protected-resource/mcp');
      response.setHeader('date', after(0));
      response.end(JSON.stringify({ resource: `${at}/mcp` }));
    });
    expect(finding).toEqual({
      outcome: 'ok',
      found: `${root} is reached, is this product, and has the time of this machine`,
      advice: null,
    });
  });

  it('is asked below a path as assistants ask, also for what the sign-in serves', async () => {
    const asked: string[] = [];
    const answers = (issuer: (root: string) => string, status = 200) =>
      examined(
        (at) => (request, response) => {
          const path = request.url ?? '';
          asked.push(path);
          response.setHeader('date', after(0));
          if (path.includes('resource')) {
            response.end(JSON.stringify({ resource: `${at}/mcp`, authorization_servers: [at] }));
          } else response.writeHead(status).end(JSON.stringify({ issuer: issuer(at) }));
        },
        '/figures',
      );
    expect((await answers((root) => root)).outcome).toBe('ok');
    expect(asked).toEqual([
      '/.well-known/oauth-protected-resource/figures/mcp',
      '/.well-known/oauth-authorization-server/figures',
    ]);
    expect(await answers(() => 'https://other.example')).toMatchObject({
      outcome: 'warning',
      found: expect.stringContaining('another server'),
    });
    expect(await answers((root) => root, 404)).toMatchObject({
      outcome: 'warning',
      found: expect.stringMatching(/oauth-authorization-server\/figures answered 404$/),
    });
  });

  it.each([
    [404, 'answered 404'],
    [302, 'answered 302'],
  ])('is reported when it answers %s', async (status, found) => {
    const finding = await examined(() => (_, response) => void response.writeHead(status).end());
    expect(finding).toMatchObject({ outcome: 'warning', found: expect.stringContaining(found) });
  });

  it('is reported when its answer is no JSON', async () => {
    const finding = await examined(() => (_, response) => void response.end('<html>'));
    expect(finding).toMatchObject({ outcome: 'warning', found: expect.stringContaining('not reached') });
  });

  it('is reported when its certificate is not trusted', async () => {
    const server = await serveHttps(certifyLoopback(), {});
    const finding = await examinePublicAddress(server.address('/v1'), now);
    await server.close();
    expect(finding).toMatchObject({ outcome: 'warning', found: expect.stringContaining('certificate') });
  });

  it('is reported when no server listens there', async () => {
    const finding = await examinePublicAddress('http://127.0.0.1:1/v1', now);
    expect(finding).toMatchObject({ outcome: 'warning', found: expect.stringContaining('not reached') });
  });
});

describe('the answer of the public address', () => {
  it.each([
    ['of another address', { resource: 'https://other.example/mcp' }],
    ['without a resource', {}],
    ['that is a list', []],
    ['that is null', null],
  ])('%s is that of another server', (_, body) => {
    const finding = judgePublicAnswer(ROOT, { body, date: after(0), now: now() });
    expect(finding).toMatchObject({ outcome: 'warning', found: expect.stringContaining('another') });
  });

  it.each([
    ['ok', 120],
    ['warning', 121],
    ['ok', -120],
    ['warning', -121],
  ])('is %s with a clock %s seconds ahead', (outcome, seconds) => {
    const body = { resource: `${ROOT}/mcp` };
    expect(judgePublicAnswer(ROOT, { body, date: after(seconds), now: now() }).outcome).toBe(outcome);
  });

  it('is fine without a date', () => {
    const body = { resource: `${ROOT}/mcp` };
    expect(judgePublicAnswer(ROOT, { body, date: null, now: now() }).outcome).toBe('ok');
  });
});
