/** What each answer of a server means to a pull: tried again, refused, or how long to wait; in this process. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, textOf } from '../../src/client/ask.ts';
import { Interruption, PullStopped } from '../../src/client/errors.ts';
import { type ScriptedServer, startScripted } from './scripted-server.ts';

let server: ScriptedServer;
let answer: { status: number; headers: Record<string, string>; body: string };
beforeAll(async () => {
  server = await startScripted((_, response) => {
    response.writeHead(answer.status, answer.headers).end(answer.body);
    return true;
  });
});
afterAll(() => server.close());

async function asked(status: number, headers: Record<string, string> = {}, body = ''): Promise<unknown> {
  answer = { status, headers, body };
  const line = { url: server.url, token: 'a', signal: new AbortController().signal };
  return await ask(line, '/any', {}, (received) => textOf(received, 10)).catch((error: unknown) => error);
}

describe('an answer with the status', () => {
  it.each([408, 429, 500, 502, 503, 504])('%d is tried again', async (status) => {
    expect(await asked(status, {}, '{"error":{"message":"Busy."}}')).toEqual(
      new Interruption(`${status} Busy.`),
    );
  });

  it.each([
    [301, 1],
    [400, 3],
    [401, 3],
    [403, 3],
    [404, 3],
    [412, 3],
    [499, 3],
    [501, 1],
    [505, 1],
  ] as const)('%d ends the pull with exit code %d', async (status, exit) => {
    const stopped = await asked(status, { location: 'https://elsewhere.example' }, '<h1>A proxy</h1>');
    expect(stopped).toBeInstanceOf(PullStopped);
    expect(stopped).toMatchObject({ exit, status: status === 301 ? null : status });
  });
});

it('an answer of exactly the longest length is read, and one byte more is refused', async () => {
  expect(await asked(200, {}, '0123456789')).toBe('0123456789');
  expect(await asked(200, {}, '0123456789A')).toEqual(
    new PullStopped(3, 'An answer is longer than 10 bytes.'),
  );
});

it.each([
  ['7', 7_000],
  ['0', 0],
  ['Tue, 15 Jul 2026 02:01:30 GMT', 90_000],
  ['Tue, 15 Jul 2026 01:59:59 GMT', 0],
  ['in a minute', 0],
  ['-5', 0],
])('Retry-After %j asks for a wait of %d ms', async (after, wait_ms) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-07-15T02:00:00Z') });
  try {
    expect(await asked(503, { 'retry-after': after })).toMatchObject({ name: 'Interruption', wait_ms });
  } finally {
    vi.useRealTimers();
  }
});
