import { expect, test } from 'vitest';
import type { Campaign, CampaignRequest } from './campaign.ts';
import { CAMPAIGNS } from './campaigns.ts';
import { runCampaigns, type Asked } from './run-campaigns.ts';

const asked: Asked = { seed: 7, times: null, short: false, json: false };

function campaign(name: string, run: Campaign['run']): Campaign {
  return { name, title: `does ${name}`, rows: ['F-1'], unit: 'blows', times: { short: 2, long: 5 }, run };
}

const good = campaign('good', async ({ times }) => ({ done: times, bad: [], figures: { caught: 1234 } }));

/** Runs them with a clock that goes on by a second and a half whenever it is asked, and gives what was printed. */
async function told(campaigns: readonly Campaign[], options: Partial<Asked> = {}) {
  const lines: string[] = [];
  let now = 0;
  const tally = await runCampaigns(
    campaigns,
    { ...asked, ...options },
    {
      result: (line) => lines.push(line),
      progress: (line) => lines.push(line),
      clock: () => (now += 1500),
      signal: new AbortController().signal,
    },
  );
  return { tally, lines };
}

test('the line of a campaign has the work, the seed, the time and the number of failures', async () => {
  expect(await told([good])).toEqual({
    tally: { run: 1, not_run: 0, bad: 0 },
    lines: ['good: 5 blows, seed 7, 1.5 s, 0 bad (caught 1,234)'],
  });
});

test('each failure of a campaign is printed on a line below', async () => {
  const two = campaign('two', async () => ({
    done: 5,
    bad: ['one is lost', 'another is lost'],
    figures: {},
  }));
  const { tally, lines } = await told([two]);
  expect(lines).toEqual(['two: 5 blows, seed 7, 1.5 s, 2 bad\n  one is lost\n  another is lost']);
  expect(tally).toEqual({ run: 1, not_run: 0, bad: 1 });
});

test('a campaign is given the full number of units, the short number, or a requested number', async () => {
  const requests: CampaignRequest[] = [];
  const asking = campaign('asking', async (request) => {
    requests.push(request);
    return { done: 1, bad: [], figures: {} };
  });
  await told([asking]);
  await told([asking], { short: true });
  await told([asking], { short: true, times: 9 });
  expect(requests.map(({ times, seed }) => ({ times, seed }))).toEqual([
    { times: 5, seed: 7 },
    { times: 2, seed: 7 },
    { times: 9, seed: 7 },
  ]);
});

test('a campaign that breaks counts as bad, and the next campaign runs', async () => {
  const broken = campaign('broken', () => Promise.reject(new Error('no leg to stand on')));
  const { tally, lines } = await told([broken, good]);
  expect(lines[0]).toContain('the campaign itself broke: Error: no leg to stand on');
  expect(tally).toEqual({ run: 2, not_run: 0, bad: 1 });
});

test('a campaign that did nothing counts as bad', async () => {
  const idle = campaign('idle', async () => ({ done: 0, bad: [], figures: {} }));
  expect((await told([idle])).lines).toEqual(['idle: 0 blows, seed 7, 1.5 s, 1 bad\n  nothing was done']);
});

test('a campaign without its program names the program, and counts as not run', async () => {
  const lacking = { ...good, lacks: async () => 'a loop device' };
  expect(await told([lacking])).toEqual({
    tally: { run: 0, not_run: 1, bad: 0 },
    lines: ['good: not run: a loop device'],
  });
});

test('each campaign is printed as one object when JSON is asked for', async () => {
  const { lines } = await told([good], { json: true });
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    campaign: 'good',
    title: 'does good',
    rows: ['F-1'],
    seed: 7,
    asked: 5,
    unit: 'blows',
    done: 5,
    seconds: 1.5,
    figures: { caught: 1234 },
    bad: [],
    lacks: null,
  });
});

test('the list is sorted by name, and every campaign names its rows as the matrices do', () => {
  const names = CAMPAIGNS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].toSorted());
  for (const { rows, times } of CAMPAIGNS) {
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatch(/^[AF]-[1-9]\d?$/);
    expect(times.short).toBeLessThanOrEqual(times.long);
  }
});
