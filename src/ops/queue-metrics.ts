/** Metrics of the night's builds, the dead letters and the webhook deliveries; every process reports the same values. */
import { Gauge } from '@prometheus-io/client';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { db, readOne } from '../database/query.ts';
import { type NightStatus, readNightStatus } from './night-status.ts';
import { DEAD_QUEUE } from './queue-rules.ts';

const COUNTS_ONLY = { troubles: 0, slowest: 0 };

/** The gauges, for the caller to register; each queries the database at a scrape. */
export function queueGauges(service: Pool, night: () => Promise<string>): readonly Gauge[] {
  let reading: Promise<NightStatus> | null = null;
  /** The status, read once for the gauges of a scrape. */
  const status = (): Promise<NightStatus> =>
    (reading ??= night()
      .then((day) => readNightStatus(service, day, COUNTS_ONLY))
      .finally(() => {
        reading = null;
      }));
  return [
    new Gauge({
      name: 'crossfoot_builds',
      help: 'Builds of the last night, by state; not rebuilds.',
      labelNames: ['state'],
      registers: [],
      async collect() {
        const { counts } = await status();
        for (const [state, builds] of Object.entries(counts)) this.set({ state }, builds);
      },
    }),
    new Gauge({
      name: 'crossfoot_rebuilds',
      help: 'Builds that a person or the program queued outside of nights, by state; dead: of the last day.',
      labelNames: ['state'],
      registers: [],
      async collect() {
        const { rebuild_counts } = await status();
        for (const [state, builds] of Object.entries(rebuild_counts)) this.set({ state }, builds);
      },
    }),
    new Gauge({
      name: 'crossfoot_failing_builds',
      help: 'Builds of the last night, and rebuilds, that failed and are neither published nor given up, also while their retry runs.',
      labelNames: ['of'],
      registers: [],
      async collect() {
        const { failing } = await status();
        for (const [of, builds] of Object.entries(failing)) this.set({ of }, builds);
      },
    }),
    new Gauge({
      name: 'crossfoot_dead_letters',
      help: 'Builds of the last day that failed and will not be tried again.',
      registers: [],
      async collect() {
        this.set((await readOne(service, DEAD)).letters);
      },
    }),
    new Gauge({
      name: 'crossfoot_deliveries',
      help: 'Deliveries to webhooks: pending, and failed of events of the last two days.',
      labelNames: ['state'],
      registers: [],
      async collect() {
        const { pending, failed } = await readOne(service, DELIVERIES);
        this.set({ state: 'pending' }, Number(pending));
        this.set({ state: 'failed' }, Number(failed));
      },
    }),
  ];
}

const DEAD = db
  .selectFrom('ops.job')
  .select(sql<number>`count(*)::int4`.as('letters'))
  .where('name', '=', DEAD_QUEUE)
  .where('created_on', '>', sql<bigint>`now() - interval '1 day'`);

const DELIVERIES = db.selectNoFrom((eb) => {
  const pending = eb.selectFrom('ops.deliveries').where('state', '=', 'pending');
  const failed = eb
    .selectFrom('ops.events as e')
    .innerJoin('ops.deliveries as d', (join) =>
      join.onRef('d.account_id', '=', 'e.account_id').onRef('d.event_id', '=', 'e.id'),
    )
    .where('e.occurred_at', '>', sql<bigint>`now() - interval '2 days'`)
    .where('d.state', '=', 'failed');
  const count = sql<bigint>`count(*)`.as('rows');
  return [pending.select(count).as('pending'), failed.select(count).as('failed')];
});
