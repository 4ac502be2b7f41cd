/** How the listener ends what it began: a body that breaks, a client that is too slow, and its own closing. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen } from '../../../src/serve/http/server.ts';
import { bearer, fakeApp, FakeSnapshots, TOKENS } from '../fake-parts.ts';
import { exchange, parseAnswer } from './raw-http.ts';

const silent = createLogger('silent');
const HOST = 'Host: x\r\n';
const AUTH = `Authorization: Bearer ${TOKENS.personal}\r\n`;
const LAST = 'Connection: close\r\n';

describe('a body that breaks', () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => {});
  afterEach(() => written.mockClear());

  it.each([0, 1, 2, 5])(
    'after %i good blocks is cut off: never a whole answer, nor the text of the error',
    async (good) => {
      const lines: string[] = [];
      // The promised length is what the blocks and the error's text would add up to.
      const breaking = new (class extends FakeSnapshots {
        override async openTable() {
          let sent = 0;
          return new ReadableStream<Uint8Array<ArrayBuffer>>({
            pull: (controller) => {
              sent += 1;
              if (sent > good) controller.error(new Error('block 3 of /srv/objects is bad'));
              else controller.enqueue(new Uint8Array(4));
            },
          });
        }
      })();
      const logger = createLogger('error', { write: (line) => lines.push(line) });
      const { app } = fakeApp({ snapshots: breaking });
      const server = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger });
      const request = `GET /v1/reporting/latest/costs.parquet HTTP/1.1\r\n${HOST}${AUTH}${LAST}\r\n`;
      const text = await exchange(server.port, request);
      await server.close(0);
      expect(text).not.toContain('bad');
      const { headers, body } = parseAnswer(text);
      const promised = Number(/content-length: (\d+)/.exec(headers)?.[1] ?? 1);
      expect(body.length).toBeLessThan(promised);
      expect(lines.join('')).toContain('"event":"transfer.broken"');
      expect(written).not.toHaveBeenCalled();
    },
  );

  it('stops reading the file when the client has gone', async () => {
    const cancelled = Promise.withResolvers<string>();
    const endless = new (class extends FakeSnapshots {
      override async openTable() {
        return new ReadableStream<Uint8Array<ArrayBuffer>>({
          pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
          cancel: () => cancelled.resolve('cancelled'),
        });
      }
    })();
    const server = await listen(fakeApp({ snapshots: endless }).app.fetch, {
      host: '127.0.0.1',
      port: 0,
      logger: silent,
    });
    const gone = new AbortController();
    const url = `http://127.0.0.1:${server.port}/v1/reporting/latest/costs.parquet`;
    await fetch(url, { ...bearer(TOKENS.personal), signal: gone.signal });
    gone.abort();
    expect(await cancelled.promise).toBe('cancelled');
    await server.close(0);
  });
});

describe('a slow client', () => {
  const patient = {
    headers_ms: 60_000,
    request_ms: 60_000,
    idle_ms: 60_000,
    check_ms: 5,
    header_bytes: 16_384,
  };
  const slow = async (limits: typeof patient, bytes: string) => {
    const server = await listen(() => new Promise<Response>(() => {}), {
      host: '127.0.0.1',
      port: 0,
      logger: silent,
      limits,
    });
    const text = await exchange(server.port, bytes);
    await server.close(0);
    return text;
  };

  it('A-21: whose headers do not end gets 408 in the one error shape', async () => {
    const { status, body } = parseAnswer(
      await slow({ ...patient, headers_ms: 20 }, `GET / HTTP/1.1\r\n${HOST}`),
    );
    expect(status).toBe(408);
    expect(JSON.parse(body)).toEqual({
      error: { status: 408, message: 'The request took too long to arrive.' },
    });
  });

  it('that neither sends nor takes anything is cut off', async () => {
    expect(await slow({ ...patient, idle_ms: 20 }, `GET / HTTP/1.1\r\n${HOST}\r\n`)).toBe('');
  });
});

describe('closing', () => {
  it('lets a running answer end, and accepts no new connection', async () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const server = await listen(
      async () => {
        asked.resolve();
        await go.promise;
        return new Response('late');
      },
      { host: '127.0.0.1', port: 0, logger: silent },
    );
    const url = `http://127.0.0.1:${server.port}/`;
    const answer = fetch(url);
    await asked.promise;
    const closed = server.close(60_000);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    go.resolve();
    expect(await (await answer).text()).toBe('late');
    await closed;
  });

  it('cuts what has not ended in time', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await listen(
      () => {
        asked.resolve();
        return new Promise<Response>(() => {});
      },
      { host: '127.0.0.1', port: 0, logger: silent },
    );
    const answer = fetch(`http://127.0.0.1:${server.port}/`);
    await asked.promise;
    await Promise.all([server.close(1), expect(answer).rejects.toThrow('fetch failed')]);
  });

  it('fails to listen where something else does, naming the address', async () => {
    const server = await listen(() => new Response(), { host: '127.0.0.1', port: 0, logger: silent });
    const again = listen(() => new Response(), { host: '127.0.0.1', port: server.port, logger: silent });
    await expect(again).rejects.toThrow(`127.0.0.1:${server.port}`);
    await server.close(0);
  });
});
