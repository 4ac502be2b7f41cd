/** The last nights of an account, in words for the readers of its pages. */
import type { Pool } from 'pg';
import type { Settings } from '../../config.ts';
import { ERRORS, isErrorCode, REFUSAL_CODES } from '../../errors.ts';
import { addDays, utcDay } from '../../figures/calendar.ts';
import { readStandings } from '../../deliveries/standing.ts';
import { type AccountNight, readAccountNights } from '../../ops/account-nights.ts';
import { nightAfter } from '../../ops/night.ts';
import { readPendingBuilds } from '../../ops/pending-builds.ts';
import type { PendingBuild } from '../../next-step.ts';
import type { NightContext, OwnBuild, OwnNight } from '../../serve/pages/own-nights.ts';
import { fromMs, type Instant, toMs } from '../../instant.ts';
import { readAttempts } from '../builders/attempts.ts';
import { type Failure, nextCommand } from '../builders/next-command.ts';

/** A snapshot is kept for as many days. */
const NIGHTS = 14;

/** Reads the nights as `cf_service`, newest first; `now` is. */
export async function readOwnNights(
  service: Pool,
  account_id: bigint,
  now: Instant,
): Promise<readonly OwnNight[]> {
  // A night belongs to the UTC day on which it falls due, so the newest night is today's.
  const days = Array.from({ length: NIGHTS }, (_, back) => addDays(utcDay(now), -back));
  const [nights, pending] = await Promise.all([
    readAccountNights(service, account_id, days),
    readPendingOf(service, account_id),
  ]);
  return ownNights(account_id, nights, pending);
}

/** The account's build that waits or runs; null without one. */
async function readPendingOf(service: Pool, account_id: bigint): Promise<PendingBuild | null> {
  return (await readPendingBuilds(service, [account_id])).get(account_id) ?? null;
}

/** The account's builds on this machine, newest first, and its deliveries. `next_at`: when the next night begins; null without a schedule. */
export async function readNightContext(
  { dataDir, schedule }: Pick<Settings, 'dataDir' | 'schedule'>,
  service: Pool,
  account_id: bigint,
  now: Instant,
): Promise<NightContext> {
  const { attempts } = await readAttempts(dataDir, String(account_id));
  const deliveries = await readStandings(service, account_id);
  const pending = await readPendingOf(service, account_id);
  const next = nightAfter(schedule, toMs(now));
  return {
    deliveries,
    pending,
    builds: attempts.map(({ failure, ...attempt }) => ({
      ...attempt,
      code: failure?.code ?? null,
      trouble:
        failure === null ? null : inWords(account_id, failure, { pending, started_by: attempt.started_by }),
    })),
    next_at: next === null ? null : fromMs(next.due_ms),
  };
}

/**
 * The nights, newest first. A failed night also has an explanation, the command to run next, and `since`: the first of the
 * nights in a row that failed with the same error.
 */
export function ownNights(
  account_id: bigint,
  nights: readonly AccountNight[],
  pending: PendingBuild | null = null,
): readonly OwnNight[] {
  return nights.map(({ night, state, tries, code, message, cents_off, os_code, step }, index) => {
    if (code === null) return { night, state, tries, trouble: null };
    const others = nights.slice(index).findIndex((each) => each.code !== code);
    const since = nights.at(others === -1 ? -1 : index + others - 1)?.night ?? night;
    const failure = { code, message, data: os_code === null ? undefined : { code: os_code, step } };
    const words = inWords(account_id, failure, { pending, started_by: 'night' });
    return { night, state, tries, trouble: { ...words, cents_off, since } };
  });
}

interface Beside {
  readonly pending: PendingBuild | null;
  readonly started_by: OwnBuild['started_by'];
}

/** A failure as the account may read it, and the command to run next. */
function inWords(
  account_id: bigint,
  { code, message, data }: Failure & { readonly message: string | null },
  { pending, started_by }: Beside,
) {
  const ended = { account_id: String(account_id), failure: { code, data }, started_by };
  const next = nextCommand(ended, 'failed', { pending });
  const explanation =
    REFUSAL_CODES.some((each) => each === code) && message !== null ? message : meaningOf(code, data);
  return { code, explanation, next };
}

// The message of a failure may name hosts and files of the machine, so it stays in the log.
function meaningOf(code: string, data: Failure['data']): string {
  if (!isErrorCode(code)) return 'An unexpected error; the log has the details.';
  const { meaning } = ERRORS[code];
  const { step, code: os_code } = data ?? {};
  if (code !== 'store_unavailable' || !isWord(step) || !isWord(os_code)) return meaning;
  return `${meaning.replace(/\.$/, '')}: the folder refused to ${step} an object (${os_code}).`;
}

/** True of a step or of a code of the operating system: one word, which names nothing of the machine. */
function isWord(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z]+$/.test(text);
}
