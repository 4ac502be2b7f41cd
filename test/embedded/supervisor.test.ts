import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { superviseEmbedded } from '../../src/embedded/supervisor.ts';

/** A server that ends when the test says so, and whose starts fail as long as the test says so; waits end at once. */
function supervised() {
  let ended = Promise.withResolvers<void>();
  const server = { failing: true, starts: 0, stops: 0 };
  const disk = { full: false };
  const clock = { now: 0 };
  const waits: number[] = [];
  const events: string[] = [];
  const supervision = superviseEmbedded(
    {
      ended: () => ended.promise,
      isDiskFull: async () => disk.full,
      restart: async () => {
        server.starts += 1;
        if (server.failing) throw new Error('No space left on device');
        ended = Promise.withResolvers();
      },
      stop: async () => {
        server.stops += 1;
        ended.resolve();
      },
    },
    {
      sleep: async (milliseconds) => {
        waits.push(milliseconds);
        await setImmediate(); // what the test does meanwhile gets its turn
      },
      clock: () => clock.now,
      onEvent: (event) => events.push(event),
    },
  );
  return {
    server,
    disk,
    clock,
    waits,
    events,
    ends: supervision.ends,
    lost: supervision.lost,
    stop: () => supervision.stop(),
    end: () => ended.resolve(),
  };
}

test('the supervisor gives up after ten failed starts in a row, two minutes of waiting later', async () => {
  const { server, waits, events, lost, stop, end } = supervised();
  end();
  await expect(lost).rejects.toMatchObject({
    code: 'embedded_failed',
    exitCode: 1,
    message:
      'The embedded PostgreSQL ended, and 10 starts in a row failed. The last start: No space left on device',
  });
  expect(server.starts).toBe(10);
  // Doubled from half a second to thirty seconds; together 121.5 s.
  expect(waits).toEqual(
    [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000].slice(0, 10),
  );
  expect(events).toEqual(['database.ended']);
  await stop();
});

test('the supervisor waits out a full disk of any length, and starts the server once space returns', async () => {
  const { server, disk, waits, events, stop, end } = supervised();
  disk.full = true;
  end();
  await expect.poll(() => server.starts).toBeGreaterThan(20);
  server.failing = false;
  await expect.poll(() => events).toEqual(['database.ended', 'database.restarted']);
  // Doubled up to thirty seconds, and no longer.
  expect(Math.max(...waits)).toBe(30_000);
  await stop();
});

test('the supervisor gives up if the server does not start although space returned', async () => {
  const { server, disk, lost, stop, end } = supervised();
  disk.full = true;
  end();
  await expect.poll(() => server.starts).toBeGreaterThan(20);
  disk.full = false;
  await expect(lost).rejects.toMatchObject({ code: 'embedded_failed' });
  await stop();
});

test('the supervisor counts consecutive starts: a server that ran for a minute resets the count', async () => {
  const { server, clock, waits, events, end, ends, stop, lost } = supervised();
  server.failing = false;
  const endAfter = async (milliseconds: number): Promise<void> => {
    const seen = events.length;
    clock.now += milliseconds;
    end();
    await expect.poll(() => events.length).toBe(seen + 2);
  };
  await endAfter(59_999);
  await endAfter(59_999);
  await endAfter(60_000);
  expect(waits).toEqual([500, 1_000, 500]);
  expect(ends()).toBe(3);
  for (let more = 0; more < 9; more += 1) await endAfter(1);
  clock.now += 1;
  end();
  await expect(lost).rejects.toMatchObject({ code: 'embedded_failed' });
  await stop();
});

test('the supervisor restarts no server once it was stopped', async () => {
  const { server, events, stop } = supervised();
  await stop();
  expect([server.starts, events, server.stops > 0]).toEqual([0, [], true]);
});

test('the supervisor stops the server that a start still brings up during the stop', async () => {
  const begun = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const order: string[] = [];
  const supervision = superviseEmbedded(
    {
      ended: async () => undefined,
      isDiskFull: async () => false,
      async restart() {
        begun.resolve();
        await goesOn.promise;
        order.push('started');
        throw new Error('the test is over');
      },
      async stop() {
        order.push('stopped');
        goesOn.resolve();
      },
    },
    { sleep: async () => undefined, clock: () => 0, onEvent: () => undefined },
  );
  await begun.promise;
  await supervision.stop();
  expect(order).toEqual(['stopped', 'started', 'stopped']);
});

test('the loss of a server ends no program that does not listen for it', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const { server, lost, stop, end } = supervised();
  end();
  await expect.poll(() => server.starts).toBe(10);
  await setImmediate();
  await setImmediate();
  process.off('unhandledRejection', note);
  await expect(lost).rejects.toMatchObject({ code: 'embedded_failed' });
  await stop();
  expect(unhandled).toEqual([]);
});
