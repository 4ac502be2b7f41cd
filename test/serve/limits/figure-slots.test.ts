import { beforeEach, describe, expect, it } from 'vitest';
import { type FigureSlots, createFigureSlots } from '../../../src/serve/limits/figure-slots.ts';

/** A figure that is being worked out until the test ends it. */
interface Working {
  readonly answered: Promise<string>;
  end(): void;
  fail(error: Error): void;
}

let slots: FigureSlots;
/** What would run once the longest wait is over; null once it was cancelled. */
let waits: { ms: number; run: (() => void) | null }[];
let begun: string[];
beforeEach(() => {
  waits = [];
  begun = [];
  slots = createFigureSlots((ms, run) => {
    const wait: (typeof waits)[number] = { ms, run };
    waits.push(wait);
    return () => {
      wait.run = null;
    };
  });
});

function ask(name: string, account_id = 1n): Working {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const answered = slots.run(account_id, async () => {
    begun.push(name);
    await promise;
    return name;
  });
  answered.catch(() => undefined); // the test looks at the answer later
  return { answered, end: () => resolve(undefined), fail: reject };
}

const many = (count: number, account_id = 1n): Working[] =>
  Array.from({ length: count }, (_, index) => ask(`${account_id}.${index + 1}`, account_id));

const REFUSED = { code: 'figures_in_flight', status: 429 };

describe('the slots of figures', () => {
  it('are four for an account, and others for another', async () => {
    many(5);
    many(5, 2n);
    await settled();
    expect(begun).toEqual(['1.1', '1.2', '1.3', '1.4', '2.1', '2.2', '2.3', '2.4']);
  });

  it('go to the request that has waited longest, after an answer or a failure', async () => {
    const [first, second] = many(7);
    await settled();
    first?.end();
    await settled();
    expect(begun.slice(4)).toEqual(['1.5']);
    second?.fail(new Error('no database'));
    await settled();
    expect(begun.slice(4)).toEqual(['1.5', '1.6']);
    await expect(first?.answered).resolves.toBe('1.1');
    await expect(second?.answered).rejects.toThrow('no database');
  });

  it('refuse a request that has waited too long, and give the free slot to the next', async () => {
    const [first, , , , late, next] = many(6);
    await settled();
    waits[0]?.run?.();
    await expect(late?.answered).rejects.toMatchObject(REFUSED);
    first?.end();
    next?.end();
    await expect(next?.answered).resolves.toBe('1.6');
    expect(begun).not.toContain('1.5');
    expect(waits).toEqual([
      { ms: 5_000, run: expect.any(Function) }, // it ran
      { ms: 5_000, run: null }, // cancelled: no request waits any more
    ]);
  });

  it('refuse at once when twelve are waiting already', async () => {
    const asked = many(17);
    await expect(asked[16]?.answered).rejects.toMatchObject(REFUSED);
    expect(waits).toHaveLength(12);
    const other = ask('of another', 2n);
    other.end();
    await expect(other.answered).resolves.toBe('of another');
  });

  it('are free again once all were answered', async () => {
    for (const each of many(4)) {
      each.end();
      await each.answered;
    }
    many(4);
    await settled();
    expect(begun).toHaveLength(8);
    expect(waits).toEqual([]);
  });
});

/** Lets everything happen that waits for nothing but its turn. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
