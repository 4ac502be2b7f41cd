/** The moment of the ledger that a build reads: its own connection, closed when the build is stopped, and the database's clock. */
import type { Client } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { requireReporting } from '../../ledger/accounts.ts';
import { withPostgresErrors } from '../../ledger/moment/moment-errors.ts';
import {
  besideMoment,
  isMomentOpen,
  joiningStatements,
  type Moment,
  type MomentOptions,
  withMoment,
} from '../../ledger/moment/moment.ts';
import { sourceTables } from '../../ledger/moment/source-tables.ts';
import type { Clock } from '../../clock.ts';
import { type Clocks, requireAgreement } from '../../clock-offsets.ts';
import type { PublishLog } from '../format/publish-log.ts';
import { secondOfSnapshotId, snapshotIdOf } from '../format/snapshot-id.ts';
import { type Instant, SECOND, toMs } from '../../instant.ts';

// The largest table tested, ten million rows, takes minutes. A statement that runs for an hour has hung.
const STATEMENT_TIMEOUT_MS = 3_600_000;
/** PostgreSQL cancels a statement earlier than this, so a connection that is silent for this time is dead. */
export const SILENCE_MS = STATEMENT_TIMEOUT_MS + 60_000;
/** A build waits while the database clock is at most this far behind the newest snapshot; beyond it, a person must act. */
const CLOCK_PATIENCE = 300n * SECOND;
/** How often a worker looks whether the moment of another process is still open. */
const WATCH_MS = 10_000;

/** The clocks and the calendar that a build needs. */
export interface BuildClocks {
  /**
   * Reads the clocks of the connection's database, the store and this process. `lately`: a reading of the store's clock that
   * an earlier build of this process made a moment ago is enough.
   */
  readonly readClocks: (client: Client, lately?: boolean) => Promise<Clocks>;
  /** The night that was due at an instant, `YYYY-MM-DD`. */
  readonly nightAt: (microseconds: Instant) => string;
}

/** Connections of the reader role. */
export interface Connections {
  /** Opens a connection, or lends a kept connection. */
  readonly connect: () => Promise<Client>;
  /** Takes a connection back after its work succeeded; if omitted, it is closed. */
  readonly giveBack?: ((client: Client) => Promise<void>) | undefined;
}

/** What another connection needs to see a moment. */
export type SeenMoment = Pick<Moment, 'exported_snapshot' | 'pg_snapshot'>;

interface MomentJob {
  readonly account_id: bigint;
  /** For tests: use this moment instead of the database's. */
  readonly at?: Instant | undefined;
  readonly signal: AbortSignal;
}

/** Runs `before` and then `run` at one moment, on its own connection. */
export async function atMoment<Result>(
  job: MomentJob,
  connections: Connections,
  run: (client: Client, moment: Moment) => Promise<Result>,
  before: (client: Client) => Promise<unknown> = async () => undefined,
): Promise<Result> {
  const options = await optionsOf(job);
  return await onConnection(job, connections, async (client) => {
    await before(client);
    return await withMoment(client, options, (moment) => run(client, moment));
  });
}

/**
 * Runs `run` on a second connection at the same moment. Does nothing if the database grants no further connection, or this
 * one cannot join: the first connection then reads everything.
 */
export async function besideConnection(
  job: MomentJob,
  { connect, giveBack }: Connections,
  moment: Moment,
  run: (client: Client) => Promise<void>,
): Promise<void> {
  const options = await optionsOf(job);
  const beside = await connect().catch(() => null);
  if (beside === null) return;
  await onConnection(job, { connect: async () => beside, giveBack }, (client) =>
    besideMoment(client, options, moment, () => run(client)),
  );
}

/** Runs `run` on a further connection at the same moment; throws `moment_unseen` if this connection cannot join. */
export async function rangeConnection(
  job: MomentJob,
  connections: Connections,
  moment: SeenMoment,
  run: (client: Client) => Promise<void>,
): Promise<void> {
  const options = await optionsOf(job);
  const joined = await onConnection(job, connections, (client) =>
    besideMoment(client, options, moment, () => run(client)),
  );
  if (joined) return;
  throw unseen();
}

/** The statements with which another program joins the moment, as one text, for a reader of the account. */
export function joiningText({ account_id }: Pick<MomentJob, 'account_id'>, moment: SeenMoment): string {
  return joiningStatements({ account_id, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, moment);
}

/**
 * Runs `run` until the moment ends, for a worker that reads a range for another process. That process may be killed: its
 * transaction then ends, and nothing that this worker reads is of use.
 */
export async function whileMomentIsOpen<Result>(
  job: MomentJob,
  { sleep, ...connections }: Connections & Pick<Clock, 'sleep'>,
  moment: SeenMoment,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const [closed, ended] = [new AbortController(), new AbortController()];
  const signal = AbortSignal.any([job.signal, closed.signal]);
  const watch = async (): Promise<void> => {
    for (;;) {
      await sleep(WATCH_MS, ended.signal).catch(() => undefined);
      if (ended.signal.aborted) return;
      // A server that grants no further connection says nothing about the moment.
      const isOpen = await onConnection({ signal }, connections, (client) =>
        isMomentOpen(client, moment),
      ).catch(() => true);
      if (isOpen) continue;
      closed.abort(unseen());
      return;
    }
  };
  const watching = watch();
  try {
    return await run(signal);
  } catch (error) {
    throw closed.signal.aborted ? closed.signal.reason : error;
  } finally {
    ended.abort();
    await watching;
  }
}

function unseen(): CrossfootError {
  return new CrossfootError(
    'moment_unseen',
    'A connection that should read a range of a table does not see the moment of the build; nothing was published.',
    {
      hint: 'Set LEDGER_URL to one server of PostgreSQL, without a pooler or a balancer, or build without --ranges.',
    },
  );
}

async function optionsOf({ account_id, at }: MomentJob): Promise<MomentOptions> {
  return {
    account_id,
    tables: await sourceTables(),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    ...(at === undefined ? {} : { at }),
  };
}

/**
 * Checks again, right before publishing, that the account still reports and that all clocks agree, because the build may
 * have taken long. Returns the database's clock.
 */
export function confirmPublishing(
  job: MomentJob,
  { readClocks, ...connections }: Pick<BuildClocks, 'readClocks'> & Connections,
): Promise<bigint> {
  return onConnection(job, connections, (client) =>
    withPostgresErrors(client, async () => {
      await requireReporting(client, job.account_id);
      const clocks = await readClocks(client);
      requireAgreement(clocks, 'published');
      return clocks.database;
    }),
  );
}

async function onConnection<Result>(
  { signal }: Pick<MomentJob, 'signal'>,
  { connect, giveBack = (client) => client.end() }: Connections,
  run: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect();
  // Closing the connection ends a statement that hangs; PostgreSQL rolls the transaction back.
  const cut = (): void => void client.end();
  signal.addEventListener('abort', cut, { once: true });
  try {
    signal.throwIfAborted();
    const result = await run(client);
    await giveBack(client);
    return result;
  } catch (error) {
    // A statement may still run, so the connection is of no further use.
    await client.end();
    throw error;
  } finally {
    signal.removeEventListener('abort', cut);
  }
}

/**
 * Milliseconds until the database's clock has passed the second of the newest snapshot; 0 if it has. `passed` names the
 * retracted snapshots dated in the future, which this comparison skips.
 */
export function millisecondsBehind(
  known: PublishLog,
  generated_at: Instant,
  passed: readonly string[] | null = [],
): number {
  const id = snapshotIdOf(generated_at);
  const head =
    known.entries.find(({ snapshot_id }) => snapshot_id === id) ??
    known.entries.at(-1 - (passed ?? []).length);
  if (head === undefined) return 0;
  const behind = secondOfSnapshotId(head.snapshot_id) + SECOND - generated_at;
  if (behind > CLOCK_PATIENCE) {
    throw new CrossfootError(
      'clock_regressed',
      `The database's clock is ${behind / SECOND} s behind the newest snapshot; nothing was published.`,
      {
        hint: `Set the clock of the database host right. If it is right, the snapshot is dated in the future: run npx --no crossfoot retract ${head.snapshot_id} --account ${known.account_id} --future-head.`,
      },
    );
  }
  return behind > 0n ? toMs(behind) + 1 : 0;
}
