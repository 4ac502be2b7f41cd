import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen } from '../../../src/serve/http/server.ts';
import { isTooSlow } from '../../../src/serve/http/transfers.ts';
import { BufferedResponse } from '../../../src/serve/http/buffered-response.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PIECE = new Uint8Array(65_536);

describe('a transfer is too slow', () => {
  it.each([
    [0, 0, false],
    [MINUTE - 1, 0, false],
    [MINUTE, 0, true],
    [MINUTE, 599_999, true], // 10,000 bytes a second for 60 seconds are 600,000
    [MINUTE, 600_000, false],
    [2 * MINUTE, 600_000, true],
    [HOUR - 1, 1e12, false],
    [HOUR, 1e12, true],
  ])('after %i ms with %i bytes: %s', (ms, bytes, expected) => {
    expect(isTooSlow(ms, bytes)).toBe(expected);
  });
});

/** A connection that has asked once. */
function askOf(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

/** A server of one answer, with a clock to turn and the sweep in hand. */
async function serving(answer: (env: HttpBindings) => Response | Promise<Response>) {
  const clock = { now: 5_000 };
  const lines: string[] = [];
  const sweeps: (() => void)[] = [];
  let stopped = false;
  const server = await listen((_, env) => answer(env), {
    host: '127.0.0.1',
    port: 0,
    logger: createLogger('info', { write: (line) => lines.push(line) }),
    clock: () => clock.now,
    every: (_, run) => {
      sweeps.push(run);
      return () => {
        stopped = true;
      };
    },
  });
  return {
    clock,
    lines,
    server,
    socket: askOf(server.port),
    sweep: () => sweeps.forEach((run) => run()),
    stopped: () => stopped,
  };
}

describe('a client', () => {
  it('A-21: that takes nothing for a minute is cut off, and the body let go', async () => {
    const cancelled = Promise.withResolvers<void>();
    const { clock, lines, server, socket, sweep, stopped } = await serving(
      () =>
        new Response(
          new ReadableStream<Uint8Array>({
            start: (controller) => controller.enqueue(new Uint8Array(10)),
            cancel: () => cancelled.resolve(),
          }),
        ),
    );
    await once(socket, 'data');
    clock.now += MINUTE - 1;
    sweep();
    expect(lines).toEqual([]);
    clock.now += 1;
    sweep();
    await once(socket, 'close');
    await cancelled.promise;
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'warn', event: 'transfer.cut', ms: MINUTE, bytes: 10 },
    ]);
    await server.close(0);
    expect(stopped()).toBe(true);
  });

  it('that keeps the rate may go on, but for no more than an hour', async () => {
    const { clock, lines, server, socket, sweep } = await serving(
      // 11,111 bytes a second for an hour, and then nothing more.
      () =>
        new Response(
          new ReadableStream<Uint8Array>({
            start: (controller) => controller.enqueue(new Uint8Array(40_000_000)),
          }),
        ),
    );
    let received = 0;
    const enough = Promise.withResolvers<void>();
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received >= 40_000_000) enough.resolve();
    });
    await enough.promise;
    clock.now += HOUR - 1;
    sweep();
    expect(lines).toEqual([]);
    clock.now += 1;
    sweep();
    await once(socket, 'close');
    expect(lines).toHaveLength(1);
    await server.close(0);
  });

  it('never sees the end of an answer without a length that breaks off: the connection closes before it', async () => {
    const begun = Promise.withResolvers<void>();
    let pulls = 0;
    const { server, socket } = await serving(
      () =>
        new Response(
          new ReadableStream<Uint8Array>({
            async pull(controller) {
              pulls += 1;
              if (pulls === 1) return controller.enqueue(Buffer.from('a,b\r\n'));
              await begun.promise;
              throw new Error('the disk is gone');
            },
          }),
        ),
    );
    let received = '';
    socket.on('data', (chunk) => {
      received += String(chunk);
      if (received.includes('a,b')) begun.resolve();
    });
    await once(socket, 'close');
    await server.close(0);
    expect(received.toLowerCase()).toContain('transfer-encoding: chunked');
    // The last chunk of a whole answer has no bytes.
    expect(received).not.toMatch(/\r\n0\r\n/);
  });

  it('that was answered is followed no longer', async () => {
    const { clock, lines, server, socket, sweep } = await serving(() => new Response('short'));
    await once(socket, 'data');
    socket.end();
    await once(socket, 'close');
    clock.now += HOUR;
    sweep();
    expect(lines).toEqual([]);
    await server.close(0);
  });

  it.each([
    ['a body that is streamed', () => new Response('late')],
    ['a body at hand', () => new BufferedResponse(PIECE, {})],
  ])('that had gone before its answer was ready, %s, is not followed', async (_, late) => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const { clock, lines, server, socket, sweep } = await serving(async ({ outgoing }) => {
      asked.resolve();
      await once(outgoing, 'close');
      answered.resolve();
      return late();
    });
    await asked.promise;
    socket.resetAndDestroy(); // a client that only ends its side may still read
    await answered.promise;
    await setImmediate(); // the listener gets it in this turn
    clock.now += HOUR;
    sweep();
    expect(lines).toEqual([]);
    await server.close(0);
  });

  it('that ended first leaves the others followed, each until its own end', async () => {
    const served = await serving(() => new Response(new ReadableStream({ pull: (c) => c.enqueue(PIECE) })));
    const { clock, lines, server, socket: first, sweep } = served;
    const [second, third] = [askOf(server.port), askOf(server.port)];
    for (const socket of [first, second, third]) {
      await once(socket, 'data');
      socket.pause();
    }
    expect(server.transfers()).toBe(3);
    first.destroy();
    await expect.poll(() => server.transfers()).toBe(2);
    third.destroy();
    await expect.poll(() => server.transfers()).toBe(1);
    clock.now += HOUR;
    sweep();
    second.resume();
    await once(second, 'close');
    await expect.poll(() => server.transfers()).toBe(0);
    expect(lines).toHaveLength(1);
    await server.close(0);
  });
});
