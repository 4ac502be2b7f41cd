import { expect, it } from 'vitest';
import { endingInTime, stopped, unlessStopped } from '../../src/run/stopping.ts';

it('the result of the work is returned if nothing stops it', async () => {
  const { signal } = new AbortController();
  await expect(unlessStopped(signal, Promise.resolve(7))).resolves.toBe(7);
  await expect(unlessStopped(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

it('an abort rejects at once, even if the work continues and fails later', async () => {
  const stop = new AbortController();
  const work = Promise.withResolvers<never>();
  const outcome = unlessStopped(stop.signal, work.promise);
  stop.abort(new Error('stopped by SIGINT'));
  await expect(outcome).rejects.toThrow('stopped by SIGINT');
  work.reject(new Error('cut off'));
  await expect(work.promise).rejects.toThrow('cut off');
});

it('a stop is known that came before the question', async () => {
  const signal = AbortSignal.abort(new Error('stopped by SIGTERM'));
  await expect(stopped(signal)).resolves.toBeUndefined();
  await expect(unlessStopped(signal, new Promise(() => undefined))).rejects.toThrow('stopped by SIGTERM');
});

it('the end of a thing is awaited until the abort, and then no longer than the grace period', async () => {
  const stop = new AbortController();
  const hanging = { [Symbol.asyncDispose]: () => new Promise<void>(() => undefined) };
  const ended = Promise.resolve(endingInTime(hanging, stop.signal, 1)[Symbol.asyncDispose]()).then(
    () => 'ended',
  );
  await expect(Promise.race([ended, new Promise((resolve) => setImmediate(resolve, 'waits'))])).resolves.toBe(
    'waits',
  );
  stop.abort();
  await expect(ended).resolves.toBe('ended');
});
