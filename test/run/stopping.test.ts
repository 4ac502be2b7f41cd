import { expect, it } from 'vitest';
import { endingInTime, stopped, unlessStopped } from '../../src/run/stopping.ts';

it('gives what the work gives as long as nobody stops it', async () => {
  const { signal } = new AbortController();
  await expect(unlessStopped(signal, Promise.resolve(7))).resolves.toBe(7);
  await expect(unlessStopped(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

it('rejects at once when told to stop, though the work goes on and fails later', async () => {
  const stop = new AbortController();
  const work = Promise.withResolvers<never>();
  const outcome = unlessStopped(stop.signal, work.promise);
  stop.abort(new Error('stopped by SIGINT'));
  await expect(outcome).rejects.toThrow('stopped by SIGINT');
  work.reject(new Error('cut off'));
  await expect(work.promise).rejects.toThrow('cut off');
});

it('knows of a stop that came before it was asked', async () => {
  const signal = AbortSignal.abort(new Error('stopped by SIGTERM'));
  await expect(stopped(signal)).resolves.toBeUndefined();
  await expect(unlessStopped(signal, new Promise(() => undefined))).rejects.toThrow('stopped by SIGTERM');
});

it('waits for an end until told to stop, and then no longer than the grace', async () => {
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
