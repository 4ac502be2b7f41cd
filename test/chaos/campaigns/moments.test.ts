import { expect, test } from 'vitest';
import { momentsCampaign } from './moments.ts';
import { runFew } from '../run-few.ts';

test('the campaign of clocks deletes nothing by mistake and never goes back, with any clocks', async () => {
  const { done, bad, figures } = await runFew(momentsCampaign, 20);
  expect({ done, bad }).toEqual({ done: 20, bad: [] });
  for (const name of ['deleted', 'disagreed', 'published', 'regressed', 'waited'])
    expect(figures[name]).toBeGreaterThan(0);
});
