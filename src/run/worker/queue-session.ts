/** The build queue with the accounts that it is for: what every process that queues or builds has open. */
import { isReporting, readReportingAccounts } from '../../ledger/accounts.ts';
import { readClock } from '../../ledger/clock.ts';
import { checkRoles } from '../../ledger/roles-check.ts';
import type { Logger } from '../../log.ts';
import { type NightStatus, readNightStatus } from '../../ops/night-status.ts';
import { type BuildQueue, openBuildQueue } from '../../ops/queue.ts';
import type { Databases } from '../databases.ts';
import { openSessions } from '../sessions.ts';

// Looking for work, saying that it goes on and settling it are short statements, however many builds run.
const MAX_SESSIONS = 3;

/** Disposing of it closes the queue and ends its sessions. */
export interface QueueSession extends AsyncDisposable {
  readonly queue: BuildQueue;
  /** The accounts that report now, by ascending id. */
  readonly readAccounts: () => Promise<readonly bigint[]>;
  /** Microseconds since 1970 by the database's clock: the one that nights fall due by. */
  readonly readDatabaseClock: () => Promise<bigint>;
  /** Whether this one does. */
  readonly reports: (account_id: bigint) => Promise<boolean>;
  /** How far a night has come. */
  readonly readStatus: (
    night: string,
    most: { readonly troubles: number; readonly slowest: number },
  ) => Promise<NightStatus>;
}

interface SessionParts {
  readonly databases: Pick<Databases, 'ledgerUrl' | 'serviceUrl'>;
  readonly logger: Logger;
  /** True for whoever works the queue. */
  readonly supervise: boolean;
}

/** Opens queue and ledger; both logins are checked before anything rests on them. */
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
    readStatus: (night, most) => readNightStatus(service, night, most),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
