/** The fixture company over its last fourteen nights: published, pinned, retracted, damaged, and at last refused. */
import type { Client, Pool } from 'pg';
import { openBuildQueue } from '../../src/ops/queue.ts';
import type { Store } from '../../src/store/store.ts';
import { clockAt } from '../snapshot/builder/build-harness.ts';
import { type BuildHarness, change } from '../snapshot/builder/real-build.ts';

const NIGHTS = 14;
/** The last of them, which no snapshot came of. */
const REFUSED = 2;
const DAY_MS = 86_400_000;
const TWO_HOURS_MS = 7_200_000;

/** How the audit told of the same cent in both. */
const REFUSAL = {
  code: 'audit_refused',
  message:
    'reported_totals fy2027-q3: cash_value_cents is 1842250 cents, expected 1839650 cents: the rows add up to it; nothing was published.',
  hint: null,
};

export interface Nights {
  /** Of the snapshots, the oldest first. */
  readonly ids: readonly string[];
}

/** Builds what each night found; the last of them fell due before `now`, milliseconds since 1970. */
export async function passFortnight(harness: BuildHarness, store: Store, now: number): Promise<Nights> {
  const owner = await harness.database.client('cf_owner');
  const last = Math.floor((now - TWO_HOURS_MS) / DAY_MS) * DAY_MS + TWO_HOURS_MS;
  const nights = Array.from({ length: NIGHTS }, (_, index) => last - (NIGHTS - 1 - index) * DAY_MS);
  const ids: string[] = [];
  for (const [index, due_ms] of nights.slice(0, -REFUSED).entries()) {
    await work(owner, index, dayOf(due_ms));
    const at = BigInt(due_ms) * 1_000n + 123_456n;
    const clock = clockAt(at + 60_000_000n);
    ids.push((await harness.build({ at, night: dayOf(due_ms), store, clock })).snapshot_id);
  }
  await queueNights(harness.database.pool('cf_service'), nights);
  return { ids };
}

/** What people and connections write down in a day: a bill, every third day some value, and once a correction. */
async function work(owner: Client, index: number, day: string): Promise<void> {
  const cents = 41_250 + 1_375 * index;
  const value = `
    insert into ledger.value_entries (account_id, initiative_id, amount_cents, currency, status, entry_type, period_start, source_type)
    values (1, 104, ${2 * cents}, 'USD', 'approved', 'cost_savings', '${day}', 'manual')`;
  const correction = 'update ledger.cost_entries set amount_cents = amount_cents + 2500 where id = 3051';
  await change(
    owner,
    `insert into ledger.cost_entries
       (account_id, initiative_id, amount_cents, currency, cost_type, cost_category, period_start, vendor_name, source_type)
     values (1, ${101 + (index % 4)}, ${cents}, 'USD', 'software', 'opex', '${day}', 'Anthropic', 'manual')
     ${index % 3 === 2 ? `; ${value}` : ''} ${index === 11 ? `; ${correction}` : ''}`,
  );
}

async function queueNights(service: Pool, nights: readonly number[]): Promise<void> {
  const queue = await openBuildQueue({ service, supervise: false, onError: () => undefined });
  try {
    for (const [index, due_ms] of nights.entries()) {
      const night = { day: dayOf(due_ms), due_ms };
      await queue.enqueueNight({ night, accounts: [1n], jitter_ms: 0, now_ms: due_ms + 1 });
      const build = await queue.take();
      if (build === null) throw new Error('a night that was queued is not there to be taken');
      if (index < NIGHTS - REFUSED) await queue.complete(build, { outcome: 'published' });
      else await queue.fail(build, REFUSAL);
    }
  } finally {
    await queue.close();
  }
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
