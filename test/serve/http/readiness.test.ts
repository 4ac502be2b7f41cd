import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { type Parts, watchReadiness } from '../../../src/serve/http/readiness.ts';
import { fakeApp } from '../fake-parts.ts';

function watching(parts: Parts) {
  const clock = { now: 0 };
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => lines.push(line) });
  const readiness = watchReadiness(parts, {
    clock: () => clock.now,
    pause: (ms, signal) => pause(ms / 100, undefined, { signal }), // 20 ms stand for two seconds
    logger,
  });
  return { clock, lines, readiness };
}

const well = async (): Promise<void> => {};
const never = (): Promise<never> => new Promise(() => {});

describe('a process', () => {
  it('is ready when every part answers', async () => {
    expect(await watching({ database: well, store: well }).readiness()).toEqual([]);
  });

  it('is not ready when a part fails or never answers, and the log names that part', async () => {
    const { lines, readiness } = watching({
      database: never,
      store: async () => {
        throw new Error('EIO: /srv/objects');
      },
      other: well,
    });
    expect(await readiness()).toEqual(['database', 'store']);
    expect(lines.map((line) => (JSON.parse(line) as { step: string }).step).toSorted()).toEqual([
      'database',
      'store',
    ]);
  });

  it('asks each part at most once in two seconds, for any number of requests', async () => {
    let asked = 0;
    const { clock, readiness } = watching({ database: async () => (asked += 1) });
    await Promise.all([readiness(), readiness()]);
    clock.now += 1_999;
    await readiness();
    expect(asked).toBe(1);
    clock.now += 1;
    await readiness();
    expect(asked).toBe(2);
  });
});

describe('/readyz', () => {
  it('answers 503 in the usual form of an error, whose message names the parts and gives no reason', async () => {
    const { app } = fakeApp({ readiness: async () => ['database', 'store'] });
    const response = await app.request('/readyz');
    expect(response.status).toBe(503);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      error: { status: 503, message: 'Not ready: no answer from the database and the store.' },
    });
  });
});
