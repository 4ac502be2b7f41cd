/** The build queue with the accounts that it is for: what every process that queues or builds has open. */
import { isReporting, readReportingAccounts } from '../../ledger/accounts.ts';
import { readClock } from '../../ledger/clock.ts';
import { type ConnectOptions, openClient, openPool } from '../../ledger/connect.ts';
import { checkRoles } from '../../ledger/roles-check.ts';
import { errorFields, type Logger } from '../../log.ts';
import { type NightStatus, readNightStatus } from '../../ops/night-status.ts';
import { type BuildQueue, openBuildQueue } from '../../ops/queue.ts';
import { type Databases } from '../databases.ts';

// Looking for work, saying that it goes on and settling it are short statements, however many builds run.
const MAX_SESSIONS = 3;

export interface QueueSession {
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
  close(): Promise<void>;
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
  let closing = false;
  const onError = (error: Error): void => {
    if (!closing) logger.warn('connection.lost', errorFields(error));
  };
  const applicationName = 'crossfoot queue';
  const asReader = { url: databases.ledgerUrl, role: 'cf_reader', applicationName, onError };
  const asService = { url: databases.serviceUrl, role: 'cf_service', applicationName, onError };
  await Promise.all([checkLogin(asReader), checkLogin(asService)]);

  const service = openPool({ ...asService, max: MAX_SESSIONS });
  const reader = openPool({ ...asReader, max: 1 });
  const endPools = async (): Promise<void> => {
    closing = true;
    await Promise.all([service.end(), reader.end()]);
  };
  try {
    const queue = await openBuildQueue({ service, supervise, onError });
    return {
      queue,
      readAccounts: () => readReportingAccounts(reader),
      reports: (account_id) => isReporting(reader, account_id),
      readDatabaseClock: () => readClock(reader),
      readStatus: (night, most) => readNightStatus(service, night, most),
      close: async () => {
        closing = true;
        await queue.close();
        await endPools();
      },
    };
  } catch (error) {
    await endPools();
    throw error;
  }
}

async function checkLogin(options: ConnectOptions): Promise<void> {
  const client = await openClient(options);
  try {
    await checkRoles(client);
  } finally {
    await client.end();
  }
}
