/** Writes the records of a running server as `cf_service`: spent rate limits, last uses of tokens, ended web sessions. */
import type { Pool } from 'pg';
import { MAX_SESSION_WAIT_MS } from '../../ledger/connect.ts';
import { checkRoles } from '../../ledger/roles-check.ts';
import { errorFields, type Logger } from '../../log.ts';
import { endSession, forgetEndedSessions, isSessionEnded } from '../../ops/ended-sessions.ts';
import { openAssistantRecords } from '../../ops/assistants.ts';
import { addPoints, forgetPoints } from '../../ops/rate-limits.ts';
import { checkRights } from '../../ops/rights-check.ts';
import { keepTokenUses } from '../../ops/token-uses.ts';
import { cacheEndedSessions, type EndedSessions } from '../../serve/frame/ended-sessions.ts';
import { syncRateLimits } from '../../serve/limits/sync-rate-limits.ts';
import { createRateLimiter, type RateLimiter, windowNumber } from '../../serve/limits/rate-limiter.ts';
import { noteTokenUses, type UseNotes } from '../../serve/auth/token-uses.ts';
import { openSessions } from '../sessions.ts';

// One session exchanges rate limits and one writes uses of tokens; no request waits for these. Two check web sessions.
const MAX_SESSIONS = 4;
// Each statement reads or writes a few rows by an index.
const MAX_QUERY_MS = 5_000;
// The interval of the exchange: several servers may exceed a limit by the requests that each admits in this time.
const EXCHANGE_MS = 1_000;
const KEEP_MS = 60_000;
// Keep the current window and the one before: the clock of another server may still be in the earlier window.
const KEPT_WINDOWS = 2;

/** Disposing of them writes pending records and ends the sessions. */
export interface Records extends AsyncDisposable {
  readonly service: Pool;
  readonly rateLimiter: RateLimiter;
  readonly uses: UseNotes;
  readonly endedSessions: EndedSessions;
}

interface RecordsParts {
  readonly url: string;
  readonly logger: Logger;
}

/** Checks role and rights, then writes at intervals until disposed. */
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
  const rateLimiter = createRateLimiter(Date.now);
  const uses = noteTokenUses((noted) => keepTokenUses(service, noted), logger);
  const exchange = syncRateLimits({ rateLimiter, add: (spent) => addPoints(service, spent), logger });
  const assistants = openAssistantRecords(service);
  const timers = [
    setInterval(() => void exchange(), EXCHANGE_MS),
    setInterval(() => {
      void uses.flush();
      // A failure here leaves a few rows, which the next minute removes.
      Promise.all([
        forgetPoints(service, windowNumber(Date.now()) - KEPT_WINDOWS),
        forgetEndedSessions(service),
        assistants.forget(),
      ]).catch((error: unknown) => logger.warn('limits.unswept', errorFields(error)));
    }, KEEP_MS),
  ];
  return {
    service,
    rateLimiter,
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
