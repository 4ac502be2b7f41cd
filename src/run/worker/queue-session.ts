/** Opens the build queue and the database sessions that queueing and building need. */
import type { Pool } from 'pg';
import { isReporting, readReportingAccounts } from '../../ledger/accounts.ts';
import { readClock } from '../../ledger/clock.ts';
import { checkRoles } from '../../ledger/roles-check.ts';
import type { Logger } from '../../log.ts';
import { isStillCurrent, type SnapshotOrigin } from '../../ops/account-changes.ts';
import { type NightStatus, readNightStatus } from '../../ops/night-status.ts';
import { type BuildQueue, openBuildQueue } from '../../ops/queue.ts';
import type { Databases } from '../opened-databases.ts';
import { openSessions } from '../sessions.ts';
import type { Instant } from '../../instant.ts';

// Taking a build, sending its heartbeat and settling it are short statements, so a few sessions serve many builds.
const MAX_SESSIONS = 3;

/** Its disposal closes the queue and ends the sessions. */
export interface QueueSession extends AsyncDisposable {
  readonly queue: BuildQueue;
  /** The reporting accounts, by ascending id. */
  readonly readAccounts: () => Promise<readonly bigint[]>;
  /** The database's clock, which decides when nights fall due. */
  readonly readDatabaseClock: () => Promise<Instant>;
  /** True if the account has reporting tables switched on now. */
  readonly reports: (account_id: bigint) => Promise<boolean>;
  /** True if a build of this queue published the snapshot, and the ledger has not changed since. */
  readonly isStillCurrent: (origin: SnapshotOrigin) => Promise<boolean>;
  readonly service: Pool;
  /** The progress of a night. */
  readonly readStatus: (
    night: string,
    most: { readonly troubles: number; readonly slowest: number },
  ) => Promise<NightStatus>;
}

interface SessionParts {
  readonly databases: Pick<Databases, 'ledgerUrl' | 'serviceUrl'>;
  readonly logger: Logger;
  /** True for a worker, which also supervises the queue. */
  readonly supervise: boolean;
}

/** Opens the queue and the ledger; first checks that both logins see only one account at a time. */
export async function openQueueSession({
  databases,
  logger,
  supervise,
}: SessionParts): Promise<QueueSession> {
  await using opened = new AsyncDisposableStack();
  const common = { applicationName: 'crossfoot queue', checks: [checkRoles], logger };
  const asReader = await openSessions({ ...common, url: databases.ledgerUrl, role: 'cf_reader', max: 1 });
  opened.use(asReader);
  const asService = await openSessions({
    ...common,
    url: databases.serviceUrl,
    role: 'cf_service',
    max: MAX_SESSIONS,
  });
  opened.use(asService);
  const [reader, service] = [asReader.pool, asService.pool];
  const queue = await openBuildQueue({ service, supervise, onError: asService.onError });
  opened.defer(async () => {
    asReader.expectEnd();
    asService.expectEnd();
    await queue.close();
  });
  const open = opened.move();
  return {
    queue,
    readAccounts: () => readReportingAccounts(reader),
    reports: (account_id) => isReporting(reader, account_id),
    readDatabaseClock: () => readClock(reader),
    isStillCurrent: (origin) => isStillCurrent(service, origin),
    service,
    readStatus: (night, most) => readNightStatus(service, night, most),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
