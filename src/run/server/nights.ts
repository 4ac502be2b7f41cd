/** The last nights of an account, in words for whoever looks at its pages. */
import type { Pool } from 'pg';
import { ERRORS, type ErrorCode, REFUSAL_CODES } from '../../errors.ts';
import { addDays, utcDay } from '../../figures/calendar.ts';
import { type AccountNight, readAccountNights } from '../../ops/account-nights.ts';
import type { OwnNight } from '../../serve/pages/own-nights.ts';
import { nextCommand } from '../build/next-command.ts';

/** As long as a snapshot is kept. */
const NIGHTS = 14;

/** Reads them as `cf_service`, the newest first; `now` in microseconds since 1970. */
export async function readOwnNights(
  service: Pool,
  account_id: bigint,
  now: bigint,
): Promise<readonly OwnNight[]> {
  // A schedule before midnight in UTC belongs to the day on which it falls due: none is of tomorrow.
  const days = Array.from({ length: NIGHTS }, (_, back) => addDays(utcDay(now), -back));
  return ownNights(account_id, await readAccountNights(service, account_id, days));
}

/** The same nights, the newest first, each with what can be said of its trouble. */
export function ownNights(account_id: bigint, nights: readonly AccountNight[]): readonly OwnNight[] {
  return nights.map(({ night, state, tries, code, message, cents_off }, place) => {
    if (code === null) return { night, state, tries, trouble: null };
    const others = nights.slice(place).findIndex((each) => each.code !== code);
    const since = nights.at(others === -1 ? -1 : place + others - 1)?.night ?? night;
    const next = nextCommand({ account_id: String(account_id), failure: { code } }, 'failed');
    const told = REFUSAL_CODES.some((each) => each === code) && message !== null ? message : meaningOf(code);
    return { night, state, tries, trouble: { code, told, cents_off, since, next } };
  });
}

// A failure's own words may name hosts and files of the machine, which are for its log.
function meaningOf(code: string): string {
  return code in ERRORS
    ? ERRORS[code as ErrorCode].meaning
    : 'Something that was not foreseen; the log says more.'; // its own keys
}
