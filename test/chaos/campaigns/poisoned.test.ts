import { expect, test } from 'vitest';
import { poisonedCampaign } from './poisoned.ts';
import { runFew } from '../run-few.ts';

test('a server refuses poisoned manifests and logs, and goes on serving sound snapshots', async () => {
  const { done, bad, figures } = await runFew(poisonedCampaign, 60);
  expect({ done, bad }).toEqual({ done: 60, bad: [] });
  for (const name of ['alarms', 'refused', 'served']) expect(figures[name]).toBeGreaterThan(0);
});
