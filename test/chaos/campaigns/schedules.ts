/** Schedules: the real publish, log, collector, scrub, pins and readers, interleaved call by call in a time of their own. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Campaign } from '../campaign.ts';
import { liveThrough, type Lived } from '../schedules/schedule.ts';

const MAX_TOLD = 20;
const PROGRESS = 50_000;
/** A request to stop is heard this often. */
const BREATH = 200;

export const schedulesCampaign: Campaign = {
  name: 'schedules',
  title:
    'builders, collectors, scrubs, pins and readers of src/snapshot on a store of crashes, lost replies, stale listings and pauses of days, one call at a time',
  rows: ['F-3', 'F-21', 'F-25', 'F-36', 'F-45'],
  unit: 'schedules',
  times: { short: 10_000, long: 1_000_000 },
  async run({ seed, times, say, signal }) {
    const figures = {
      turns: 0,
      published: 0,
      removed: 0,
      deaths: 0,
      lost: 0,
      late: 0,
      refused: 0,
      stale: 0,
      torn: 0,
      pauses: 0,
    } satisfies Partial<Record<keyof Lived, number>>;
    const bad: string[] = [];
    let done = 0;
    while (done < times && !signal.aborted && bad.length < MAX_TOLD) {
      // Each schedule has a seed of its own, so that one is repeated without those before it.
      const lived = await liveThrough(seed + done);
      for (const name of Object.keys(figures) as (keyof typeof figures)[]) figures[name] += lived[name];
      for (const sentence of lived.bad.slice(0, 1)) {
        bad.push(`${sentence} (again: npm run chaos -- --only schedules --times 1 --seed ${seed + done})`);
      }
      done += 1;
      if (done % BREATH === 0) await breathe();
      if (done % PROGRESS === 0) say(`${done} of ${times}, ${bad.length} bad`);
    }
    return { done, bad, figures };
  },
};
