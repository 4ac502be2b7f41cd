/** Builds of the fixture company that read a real standby, which ends at once whatever is in the way of its replay. */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { openClient, openPool } from '../../src/ledger/connect.ts';
import { checkRoles } from '../../src/ledger/roles-check.ts';
import type { Built } from '../../src/snapshot/builder/build.ts';
import type { Store } from '../../src/store/store.ts';
import { AT, type Asked, type BuildHarness, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { asAdmin, startCluster } from '../support/cluster.ts';
import { FOLLOWED, startStandby } from '../support/standby.ts';

const MINUTE = 60_000_000n;
const POLL_MS = 20;
const CONFLICT_MS = 120_000;
const SESSION = 'crossfoot build';

export interface StandbyHarness extends AsyncDisposable {
  readonly harness: BuildHarness;
  /** Where the builds that read the standby publish to. */
  readonly store: Store;
  /** A pool of the reader's on the standby, closed with the harness. */
  readonly pool: Pool;
  /** A build's session on the standby, its login checked as a builder checks it. */
  readonly connect: () => Promise<Client>;
  /** The `number`-th build of what the standby has replayed by now, a minute later than the one before. */
  build(number: number, asked?: Asked): Promise<Built>;
  /** The same moment, read on the primary into another store. */
  buildBeside(number: number, store: Store): Promise<Built>;
  /** Runs statements as the superuser of the primary, one by one. */
  onPrimary(statements: readonly string[]): Promise<void>;
  /** Resolves once a statement of the build stands still on the standby. */
  untilAsleep(): Promise<void>;
  /** Resolves once the standby has broken off what the build was doing. */
  untilBrokenOff(): Promise<void>;
}

/** Opens it, with the first snapshot of account 1 published. */
export async function openStandbyHarness(): Promise<StandbyHarness> {
  await using opened = new AsyncDisposableStack();
  const cluster = await startCluster(FOLLOWED);
  opened.defer(cluster.stop);
  const pair = opened.use(await startStandby(cluster, { max_standby_streaming_delay: '0' }));
  const harness = await openBuildHarness('template_company', pair.primary);
  // The database goes with its cluster.
  opened.defer(() => rm(harness.root, { recursive: true }));
  opened.defer(() => harness.thread[Symbol.asyncDispose]());
  await pair.untilReplayed();
  const store = await harness.emptyStore();
  const reader = {
    url: pair.at(harness.database.url('cf_reader')),
    role: 'cf_reader',
    onError: () => undefined,
  };
  const pool = openPool({ ...reader, applicationName: 'crossfoot serve', max: 2 });
  opened.defer(() => pool.end());
  const connect = async (): Promise<Client> => {
    const client = await openClient({ ...reader, applicationName: SESSION });
    await checkRoles(client);
    return client;
  };
  // From another database, where no conflict ends the watching session.
  const watch = async (that: string): Promise<boolean> =>
    await asAdmin(pair.standby.adminUrl, async (admin) => {
      const { rowCount } = await admin.query(
        `select from pg_stat_activity where application_name = '${SESSION}' and ${that}`,
      );
      return rowCount !== 0;
    });
  const build: StandbyHarness['build'] = async (number, asked = {}) => {
    await pair.untilReplayed();
    return await harness.build({ at: at(number), store, connect, ...asked });
  };
  await build(0);
  const all = opened.move();
  return {
    harness,
    store,
    pool,
    connect,
    build,
    buildBeside: (number, beside) => harness.build({ at: at(number), store: beside }),
    onPrimary: (statements) =>
      asAdmin(harness.database.adminUrl, async (admin) => {
        for (const statement of statements) await admin.query(statement);
      }),
    untilAsleep: () => until('the sleep of a statement', () => watch(`wait_event = 'PgSleep'`)),
    // An idle session is ended; of a busy one the statement is, and its transaction stands in its ruins.
    untilBrokenOff: () =>
      until('the conflict', async () => !(await watch(`state in ('active', 'idle in transaction')`))),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function at(number: number): bigint {
  return AT + BigInt(number) * MINUTE;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await holds()); waited += POLL_MS) {
    if (waited > CONFLICT_MS) throw new Error(`${what} has not come`);
    await sleep(POLL_MS);
  }
}
