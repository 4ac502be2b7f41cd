import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import type { Spent } from '../../../src/ops/rate-limits.ts';
import { syncRateLimits } from '../../../src/serve/limits/sync-rate-limits.ts';
import { createRateLimiter } from '../../../src/serve/limits/rate-limiter.ts';

function sharing(add: (spent: readonly Spent[]) => Promise<readonly Spent[]>) {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const rateLimiter = createRateLimiter(() => 0);
  const exchange = syncRateLimits({ rateLimiter, add, logger });
  const events = () => lines.map((line) => (JSON.parse(line) as { event: string }).event);
  return { rateLimiter, exchange, events };
}

describe('an exchange', () => {
  it('sends no query when nothing was counted', async () => {
    let asked = 0;
    const { rateLimiter, exchange } = sharing(async (spent) => {
      asked += 1;
      return spent;
    });
    await exchange();
    expect(asked).toBe(0);
    rateLimiter.take('token:1', 5);
    await exchange();
    await exchange(); // all is told
    expect(asked).toBe(1);
  });

  it('does nothing while another is under way', async () => {
    const answer = Promise.withResolvers<readonly Spent[]>();
    const asked: (readonly Spent[])[] = [];
    const { rateLimiter, exchange } = sharing((spent) => {
      asked.push(spent);
      return answer.promise;
    });
    rateLimiter.take('token:1', 5);
    const first = exchange();
    await exchange();
    expect(asked).toHaveLength(1);
    answer.resolve(asked[0] ?? []);
    await first;
  });

  it('that fails leaves the server counting alone, sends the counts later, and logs each outage once', async () => {
    let down = true;
    const told: number[] = [];
    const { rateLimiter, exchange, events } = sharing(async (spent) => {
      if (down) throw new Error('connection refused');
      told.push(...spent.map(({ points }) => points));
      return spent;
    });
    for (let times = 0; times < 3; times += 1) {
      rateLimiter.take('token:1', 3);
      await exchange();
    }
    expect(rateLimiter.take('token:1', 3).allowed).toBe(false);
    expect(events()).toEqual(['limits.unshared']);
    down = false;
    await exchange();
    expect(told).toEqual([3]);
    expect(events()).toEqual(['limits.unshared', 'limits.shared']);
  });
});
