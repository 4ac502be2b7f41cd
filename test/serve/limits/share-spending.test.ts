import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import type { Spent } from '../../../src/ops/rate-limits.ts';
import { shareSpending } from '../../../src/serve/limits/share-spending.ts';
import { countSpending } from '../../../src/serve/limits/spending.ts';

function sharing(add: (spent: readonly Spent[]) => Promise<readonly Spent[]>) {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const spending = countSpending(() => 0);
  const exchange = shareSpending({ spending, add, logger });
  const events = () => lines.map((line) => (JSON.parse(line) as { event: string }).event);
  return { spending, exchange, events };
}

describe('an exchange', () => {
  it('asks nobody when nothing was spent', async () => {
    let asked = 0;
    const { spending, exchange } = sharing(async (spent) => {
      asked += 1;
      return spent;
    });
    await exchange();
    expect(asked).toBe(0);
    spending.take('token:1', 5);
    await exchange();
    await exchange(); // all is told
    expect(asked).toBe(1);
  });

  it('does nothing while another is under way', async () => {
    const answer = Promise.withResolvers<readonly Spent[]>();
    const asked: (readonly Spent[])[] = [];
    const { spending, exchange } = sharing((spent) => {
      asked.push(spent);
      return answer.promise;
    });
    spending.take('token:1', 5);
    const first = exchange();
    await exchange();
    expect(asked).toHaveLength(1);
    answer.resolve(asked[0] ?? []);
    await first;
  });

  it('that fails leaves a server counting by itself, tells it later, and says each once', async () => {
    let down = true;
    const told: number[] = [];
    const { spending, exchange, events } = sharing(async (spent) => {
      if (down) throw new Error('connection refused');
      told.push(...spent.map(({ points }) => points));
      return spent;
    });
    for (let times = 0; times < 3; times += 1) {
      spending.take('token:1', 3);
      await exchange();
    }
    expect(spending.take('token:1', 3).allowed).toBe(false);
    expect(events()).toEqual(['limits.unshared']);
    down = false;
    await exchange();
    expect(told).toEqual([3]);
    expect(events()).toEqual(['limits.unshared', 'limits.shared']);
  });
});
