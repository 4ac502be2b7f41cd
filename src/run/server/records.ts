/** What a running server writes down, as the role that may: what callers spent, and when tokens were last used. */
import type { Pool } from 'pg';
import { MAX_SESSION_WAIT_MS } from '../../ledger/connect.ts';
import { checkRoles } from '../../ledger/roles-check.ts';
import { errorFields, type Logger } from '../../log.ts';
import { endSession, forgetEndedSessions, isSessionEnded } from '../../ops/ended-sessions.ts';
import { addPoints, forgetPoints } from '../../ops/rate-limits.ts';
import { checkRights } from '../../ops/rights-check.ts';
import { keepTokenUses } from '../../ops/token-uses.ts';
import { cacheEndedSessions, type EndedSessions } from '../../serve/pages/ended-sessions.ts';
import { shareSpending } from '../../serve/limits/share-spending.ts';
import { countSpending, type Spending, windowNumber } from '../../serve/limits/spending.ts';
import { noteTokenUses, type UseNotes } from '../../serve/auth/token-uses.ts';
import { openSessions } from '../sessions.ts';

// One exchanges and one keeps, which no request waits for; two look up sessions of the pages.
const MAX_SESSIONS = 4;
// Each statement reads or writes a few indexed rows.
const MAX_QUERY_MS = 5_000;
// Servers together let pass at most what each admits in this time beyond the limit.
const EXCHANGE_MS = 1_000;
const KEEP_MS = 60_000;
// The window that is running by another server's clock, and the one before it.
const KEPT_WINDOWS = 2;

/** Disposing of them writes down what is still unwritten and ends the sessions. */
export interface Records extends AsyncDisposable {
  readonly service: Pool;
  readonly spending: Spending;
  readonly uses: UseNotes;
  readonly endedSessions: EndedSessions;
}

interface RecordsParts {
  readonly url: string;
  readonly logger: Logger;
}

/** Checks role and rights, then keeps writing until it is closed. */
export async function openRecords({ url, logger }: RecordsParts): Promise<Records> {
  const sessions = await openSessions({
    url,
    role: 'cf_service',
    applicationName: 'crossfoot serve, records',
    max: MAX_SESSIONS,
    max_wait_ms: MAX_SESSION_WAIT_MS,
    max_query_ms: MAX_QUERY_MS,
    checks: [checkRoles, checkRights],
    logger,
  });
  const { pool: service } = sessions;
  const spending = countSpending(Date.now);
  const uses = noteTokenUses((noted) => keepTokenUses(service, noted), logger);
  const exchange = shareSpending({ spending, add: (spent) => addPoints(service, spent), logger });
  const timers = [
    setInterval(() => void exchange(), EXCHANGE_MS),
    setInterval(() => {
      void uses.flush();
      // What is left behind is a few rows, which the next minute removes.
      Promise.all([
        forgetPoints(service, windowNumber(Date.now()) - KEPT_WINDOWS),
        forgetEndedSessions(service),
      ]).catch((error: unknown) => logger.warn('limits.unswept', errorFields(error)));
    }, KEEP_MS),
  ];
  return {
    service,
    spending,
    uses,
    endedSessions: cacheEndedSessions(
      {
        end: ({ sha256, expires_at }) => endSession(service, sha256, expires_at),
        has: ({ sha256 }) => isSessionEnded(service, sha256),
      },
      () => performance.now(),
    ),
    [Symbol.asyncDispose]: async () => {
      sessions.expectEnd();
      timers.forEach((timer) => clearInterval(timer));
      await Promise.all([uses.flush(), exchange()]);
      await sessions[Symbol.asyncDispose]();
    },
  };
}
