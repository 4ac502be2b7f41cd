import { expect, test } from 'vitest';
import { poisonedCampaign } from './poisoned.ts';
import { runFew } from '../run-few.ts';

test('refuses poisoned manifests and logs, and goes on serving what is sound', async () => {
  const { done, bad, figures } = await runFew(poisonedCampaign, 60);
  expect({ done, bad }).toEqual({ done: 60, bad: [] });
  for (const name of ['alarms', 'refused', 'served']) expect(figures[name]).toBeGreaterThan(0);
});
