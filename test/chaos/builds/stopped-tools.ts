/** The tools of a build whose PostgreSQL is stopped at one step of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Asked } from '../../snapshot/builder/real-build.ts';
import { asleep } from '../asleep-client.ts';
import type { CutHarness } from '../cut-harness.ts';
import type { Stop } from './stop-steps.ts';

const POLL_MS = 20;

interface StoppedTools {
  readonly tools: Asked;
  /** Waits for the stop once the build has ended; throws when it never came to the step. */
  readonly stopped: () => Promise<void>;
}

type Statement = string | { text: string };
type Query = (...given: unknown[]) => unknown;

/** The harness's own tools; where the build comes to the step, the server is stopped first. */
export function stoppedTools(cuts: CutHarness, stop: Stop): StoppedTools {
  let reached = false;
  let stopping: Promise<void> | undefined;
  let over = false;
  let connection = 0;
  let tables = 0;
  const crash = (): Promise<void> => {
    reached = true;
    stopping = cuts.cluster.crash();
    return stopping;
  };
  const isNow = (text: string): boolean =>
    !reached &&
    (stop.when === 'in' || stop.when === 'after') &&
    stop.at({ text: text.toLowerCase(), connection, tables });

  const connect = async (): Promise<Client> => {
    connection += 1;
    if (stop.when === 'connects' && stop.connection === connection) await crash();
    const client = await cuts.connect();
    const query = client.query.bind(client) as Query;
    client.query = ((statement: Statement, ...values: unknown[]) => {
      if (!isNow(typeof statement === 'string' ? statement : statement.text)) {
        return query(statement, ...values);
      }
      reached = true;
      if (stop.when === 'after') return Promise.resolve(query(statement, ...values)).then(crash);
      stopping = untilAsleep(cuts, () => over).then(() => cuts.cluster.crash());
      // Each caller that asks whether the build was stopped learns of it.
      stopping.catch(() => undefined);
      return query(asleep(statement));
    }) as typeof client.query;
    return client;
  };
  const { store } = cuts.harness;
  return {
    tools: {
      connect,
      onEvent: ({ kind }) => {
        if (kind === 'table.written') tables += 1;
      },
      store: {
        ...store,
        async create(key, body) {
          if (stop.when === 'stores' && key.endsWith(stop.what) && !reached) await crash();
          return await store.create(key, body);
        },
      },
    },
    async stopped() {
      over = true;
      if (stopping === undefined) throw new Error('the build ended before it came to that step');
      await stopping;
    },
  };
}

async function untilAsleep(cuts: CutHarness, isOver: () => boolean): Promise<void> {
  const sleeping = `select from pg_stat_activity where wait_event = 'PgSleep' and application_name = 'crossfoot build'`;
  while ((await cuts.admin(sleeping)) === 0) {
    if (isOver()) throw new Error('the build ended before its statement was stopped');
    await sleep(POLL_MS);
  }
}
