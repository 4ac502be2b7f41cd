/** The metric that says which clock is off. */
import { Registry } from '@prometheus-io/client';
import { expect, it } from 'vitest';
import { clockGauge } from '../../src/run/clock-gauge.ts';
import type { Clocks } from '../../src/clock-offsets.ts';

async function told(clocks: Pick<Clocks, 'database_offset' | 'store_offset'>): Promise<readonly string[]> {
  const registry = new Registry();
  registry.registerMetric(clockGauge(async () => ({ database: 0n, store: 0n, ...clocks })));
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('crossfoot_'));
}

it('the gauge shows the offset of each clock in seconds, ahead and behind', async () => {
  // 172,800 s ahead are two days; 1,500,000 microseconds behind are 1.5 s.
  expect(await told({ database_offset: 172_800_000_000n, store_offset: -1_500_000n })).toEqual([
    'crossfoot_clock_offset_seconds{clock="database"} 172800',
    'crossfoot_clock_offset_seconds{clock="store"} -1.5',
  ]);
});

it('the gauge shows nothing for a store that does not answer', async () => {
  expect(await told({ database_offset: 0n, store_offset: null })).toEqual([
    'crossfoot_clock_offset_seconds{clock="database"} 0',
  ]);
});
