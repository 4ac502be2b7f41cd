/** What Prometheus is told about the night, its dead letters and the deliveries: the same by every process that looks. */
import { Gauge } from '@prometheus-io/client';
import type { Pool } from 'pg';
import { readNightStatus } from './night-status.ts';
import { DEAD_QUEUE } from './queue-rules.ts';

const NOBODY = { troubles: 0, slowest: 0 };

/** Gauges that belong to no registry yet; each asks when it is read. */
export function queueGauges(service: Pool, night: () => Promise<string>): readonly Gauge[] {
  return [
    new Gauge({
      name: 'crossfoot_builds',
      help: 'Builds of the last night, by state.',
      labelNames: ['state'],
      registers: [],
      async collect() {
        const { counts } = await readNightStatus(service, await night(), NOBODY);
        for (const [state, builds] of Object.entries(counts)) this.set({ state }, builds);
      },
    }),
    new Gauge({
      name: 'crossfoot_dead_letters',
      help: 'Builds of the last day that nobody will try again.',
      registers: [],
      async collect() {
        const { rows } = await service.query<{ letters: number }>(DEAD, [DEAD_QUEUE]);
        this.set(rows[0]?.letters ?? 0);
      },
    }),
    new Gauge({
      name: 'crossfoot_deliveries',
      help: 'Deliveries to webhooks: pending, and failed of events of the last two days.',
      labelNames: ['state'],
      registers: [],
      async collect() {
        const { rows } = await service.query<{ pending: number; failed: number }>(DELIVERIES);
        this.set({ state: 'pending' }, rows[0]?.pending ?? 0);
        this.set({ state: 'failed' }, rows[0]?.failed ?? 0);
      },
    }),
  ];
}

const DEAD = `select count(*)::int as letters from ops.job where name = $1 and created_on > now() - interval '1 day'`;

const DELIVERIES = `
  select (select count(*)::int from ops.deliveries where state = 'pending') as pending, (
    select count(*)::int from ops.events e
    join ops.deliveries d on d.account_id = e.account_id and d.event_id = e.id
    where e.occurred_at > now() - interval '2 days' and d.state = 'failed') as failed`;
