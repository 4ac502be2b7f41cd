/** The session of a moment gets statements while other connections read. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { keepAwake } from '../../../src/ledger/moment/keep-awake.ts';

/** A connection that counts its statements. */
function counted(answer: (count: number) => void) {
  let count = 0;
  const query = async (): Promise<void> => answer(++count);
  return { query } as never;
}

it('the session of a moment gets statements until the work ends, and returns its result', async () => {
  const sent: number[] = [];
  const client = counted((count) => sent.push(count));
  const work = async (): Promise<string> => {
    // Far more turns than three statements take: without them the work ends, too.
    for (let turn = 0; sent.length < 3 && turn < 100_000; turn += 1) await setImmediate();
    return 'read';
  };
  expect(await keepAwake(client, work(), 1)).toBe('read');
  expect(sent).toEqual([1, 2, 3]);
});

it('the session of a moment gets no statement for work that has ended', async () => {
  const counts: number[] = [];
  expect(
    await keepAwake(
      counted((count) => counts.push(count)),
      Promise.resolve('read'),
      1,
    ),
  ).toBe('read');
  expect(counts).toEqual([]);
});

it('the session of a moment passes on the error of the work', async () => {
  await expect(
    keepAwake(
      counted(() => undefined),
      Promise.reject(new Error('lost')),
      1,
    ),
  ).rejects.toThrow('lost');
});

it('the wait ends when the session is lost, although the work goes on', async () => {
  const client = counted(() => {
    throw new Error('session lost');
  });
  await expect(keepAwake(client, new Promise(() => undefined), 1)).rejects.toThrow('session lost');
});
