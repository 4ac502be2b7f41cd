/** A build's moment of the ledger: its own connection, cut when the build is stopped, and the database's clock. */
import type { Client } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { CrossfootError } from '../../errors.ts';
import { requireReporting } from '../../ledger/accounts.ts';
import { explainingBreaks } from '../../ledger/moment/broken-moment.ts';
import { type Moment, withMoment } from '../../ledger/moment/moment.ts';
import { sourceTables } from '../../ledger/moment/source-tables.ts';
import { type Clocks, requireAgreement } from '../../clock-offsets.ts';
import type { PublishLog } from '../format/publish-log.ts';
import { secondOfSnapshotId, snapshotIdOf } from '../format/snapshot-id.ts';

// The longest table of ten million rows takes minutes; a statement that runs for an hour hangs.
const STATEMENT_TIMEOUT_MS = 3_600_000;
/** PostgreSQL ends a statement before that; a connection on which nothing came for so long leads nowhere. */
export const SILENCE_MS = STATEMENT_TIMEOUT_MS + 60_000;
const MICROSECONDS_PER_SECOND = 1_000_000n;
/** A database clock this far behind the newest snapshot is waited for; beyond it, a person must look. */
const CLOCK_PATIENCE = 300n * MICROSECONDS_PER_SECOND;

/** What a build asks of time. */
export interface BuildClocks {
  /** Reads the clocks of the connection's database, the store and this process. */
  readonly readClocks: (client: Client) => Promise<Clocks>;
  /** The night that was due at an instant, `YYYY-MM-DD`. */
  readonly nightAt: (microseconds: bigint) => string;
}

interface MomentJob {
  readonly account_id: bigint;
  /** The moment to state instead of the database's, for tests. */
  readonly at?: bigint | undefined;
  readonly signal: AbortSignal;
}

/** Runs `before` and then `run` at one moment, on a connection of its own, which is ended whatever happens. */
export async function atMoment<Result>(
  job: MomentJob,
  connect: () => Promise<Client>,
  run: (client: Client, moment: Moment) => Promise<Result>,
  before: (client: Client) => Promise<unknown> = async () => undefined,
): Promise<Result> {
  const options = {
    account_id: job.account_id,
    tables: await sourceTables(),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    ...(job.at === undefined ? {} : { at: job.at }),
  };
  return await onConnection(job, connect, async (client) => {
    await before(client);
    return await withMoment(client, options, (moment) => run(client, moment));
  });
}

/**
 * Asks again, and now, whether the account is still to be built and all clocks agree: since the moment, much time may
 * have passed. Gives the database's clock.
 */
export function confirmPublishing(
  job: MomentJob,
  { connect, readClocks }: BuildClocks & { readonly connect: () => Promise<Client> },
): Promise<bigint> {
  return onConnection(job, connect, (client) =>
    explainingBreaks(client, async () => {
      await requireReporting(client, job.account_id);
      const clocks = await readClocks(client);
      requireAgreement(clocks, 'published');
      return clocks.database;
    }),
  );
}

async function onConnection<Result>(
  { signal }: Pick<MomentJob, 'signal'>,
  connect: () => Promise<Client>,
  run: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect();
  // A statement that hangs ends with its connection, and PostgreSQL rolls its transaction back.
  const cut = (): void => void client.end();
  signal.addEventListener('abort', cut, { once: true });
  try {
    signal.throwIfAborted();
    return await run(client);
  } finally {
    signal.removeEventListener('abort', cut);
    await client.end();
  }
}

/**
 * How long until the database's clock is past the second of the newest snapshot; 0 when it is. `passed` are heads of the
 * future that the snapshot passes over.
 */
export function millisecondsBehind(
  known: PublishLog,
  generatedAt: bigint,
  passed: readonly string[] | null = [],
): number {
  const id = snapshotIdOf(generatedAt);
  const head =
    known.entries.find(({ snapshot_id }) => snapshot_id === id) ??
    known.entries.at(-1 - (passed ?? []).length);
  if (head === undefined) return 0;
  const behind = secondOfSnapshotId(head.snapshot_id) + MICROSECONDS_PER_SECOND - generatedAt;
  if (behind > CLOCK_PATIENCE) {
    throw new CrossfootError(
      'clock_regressed',
      `The database's clock is ${behind / MICROSECONDS_PER_SECOND} s behind the newest snapshot; nothing was published.`,
      {
        hint: `Set the clock of the database host right. If it is right, the snapshot is dated in the future: run crossfoot retract ${head.snapshot_id} --account ${known.account_id} --future-head.`,
      },
    );
  }
  return behind > 0n ? Number(behind / 1000n) + 1 : 0;
}

/** The version of the server that was read, for the manifest. */
export async function readServerVersion(client: Client): Promise<string> {
  const version = {
    name: 'PostgreSQL',
    text: 'show server_version',
    columns: { server_version: 'text' },
  } as const;
  const rows = await readStatement(client, version);
  return rows[0]?.server_version ?? 'unknown';
}
