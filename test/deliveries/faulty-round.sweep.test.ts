/** Faults of a customer's bucket: a few deliveries in the sweeps, thousands by `npm run campaign -- deliveries`. */
import { expect } from 'vitest';
import { chanceOf } from '../chaos/chance.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { faultyRound } from './faulty-round.ts';

/** A bucket keeps all that it was asked in memory, so each round of 200 deliveries has one of its own. */
const ROUND = 200;
const times = Number(process.env['DELIVERIES_TIMES'] ?? 10);
const seed = Number(process.env['DELIVERIES_SEED'] ?? 3);
const ROUND_MS = 300_000;

itInSweeps(
  'deliveries into a bucket that spoils its answers end whole, in order, with latest.json never moved back',
  async () => {
    const sums = { delivered: 0, tries: 0, faults: 0, kills: 0 };
    for (let done = 0; done < times; done += ROUND) {
      const round = await faultyRound(Math.min(ROUND, times - done) / 5, chanceOf(seed + done / ROUND));
      expect(round.bad, `seed ${seed + done / ROUND}`).toEqual([]);
      sums.delivered += round.delivered;
      sums.tries += round.tries;
      sums.faults += round.faults;
      sums.kills += round.kills;
      if (times >= ROUND) {
        const met = `${sums.faults} faults and ${sums.kills} killed workers`;
        process.stdout.write(`${sums.delivered} whole after ${sums.tries} tries, ${met}\n`);
      }
    }
    expect(sums.delivered).toBe(times);
    expect(sums.kills).toBe(Math.ceil(times / ROUND));
    // Fewer faults than that, and nothing was shown.
    expect(sums.faults).toBeGreaterThan(times * 5);
  },
  ROUND_MS * Math.ceil(times / ROUND),
);
