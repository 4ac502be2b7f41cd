import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { stoppableClock, stoppableStore, untilStopped } from '../../src/store/stoppable.ts';
import { contentOf, readAll } from './contract.ts';
import { memoryStore } from './memory-store.ts';
import { clockAt } from '../snapshot/builder/build-harness.ts';

const REASON = new Error('stopped');
const HOUR_MS = 3_600_000;

it('a stop ends a wait', async () => {
  const stop = new AbortController();
  const clock = {
    ...clockAt(0n),
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      sleep(milliseconds, undefined, { ...(signal && { signal }) }),
  };
  const waiting = stoppableClock(clock, stop.signal).sleep(HOUR_MS);
  stop.abort(REASON);
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError', cause: REASON });
});

it('the stoppable store passes everything on until it is stopped, and then begins nothing', async () => {
  const stop = new AbortController();
  const inner = memoryStore();
  const store = stoppableStore(inner, stop.signal);
  const body = Buffer.from('figures');
  expect(await store.create('v1/x/a', body)).toBe('created');
  expect(await store.create('v1/x/b', contentOf(body))).toBe('created');
  expect(await store.readSmall('v1/x/a', 100)).toEqual(new Uint8Array(body));
  expect(await store.stat('v1/x/b')).toMatchObject({ size: 7 });
  expect((await readAll(store.readRange('v1/x/b', 1, 3))).toString()).toBe('igu');
  expect(await Array.fromAsync(store.list('v1/x/'))).toEqual(['v1/x/a', 'v1/x/b']);
  await store.delete('v1/x/a');
  expect(await store.stat('v1/x/a')).toBeNull();

  stop.abort(REASON);
  await expect(store.create('v1/x/c', body)).rejects.toBe(REASON);
  await expect(store.readSmall('v1/x/b', 100)).rejects.toBe(REASON);
  await expect(store.stat('v1/x/b')).rejects.toBe(REASON);
  await expect(readAll(store.readRange('v1/x/b', 0, 7))).rejects.toBe(REASON);
  await expect(Array.fromAsync(store.list('v1/x/'))).rejects.toBe(REASON);
  // What a stopped build created is removed after the signal.
  await store.delete('v1/x/b');
  expect(await inner.stat('v1/x/b')).toBeNull();
});

it('a stop ends the creation of an object in the middle', async () => {
  const stop = new AbortController();
  const inner = memoryStore();
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('fig');
    stop.abort(REASON);
    yield Buffer.from('ures');
  }
  const content = { ...contentOf(Buffer.from('figures')), open: pieces };
  await expect(stoppableStore(inner, stop.signal).create('v1/x/a', content)).rejects.toBe(REASON);
  expect(await inner.stat('v1/x/a')).toBeNull();
});

it('the stopped source ends with the reason in the place of the next piece, and is closed', async () => {
  const stop = new AbortController();
  let closed = false;
  async function* pieces(): AsyncGenerator<number> {
    try {
      yield 1;
      yield 2;
    } finally {
      closed = true;
    }
  }
  const seen: number[] = [];
  const reading = async (): Promise<void> => {
    for await (const piece of untilStopped(pieces(), stop.signal)) {
      seen.push(piece);
      stop.abort(REASON);
    }
  };
  await expect(reading()).rejects.toBe(REASON);
  expect({ seen, closed }).toEqual({ seen: [1], closed: true });
});
