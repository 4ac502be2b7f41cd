/**
 * A rate limiter: counts points of callers in memory, in windows of a minute. Servers exchange their counts at an interval
 * and not for each request: a single server is exact, several servers lag by one exchange.
 */
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import type { Spent } from '../../ops/rate-limits.ts';

export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
const SUBJECT_BYTES = 200;
/** An evicted subject starts again at zero; with this many callers it matters little. */
const MAX_SUBJECTS = Math.floor(MEMORY_BUDGET.rate_limits / SUBJECT_BYTES);

/** The rest of a subject's limit in its window. */
export interface Allowance {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until the window ends; at least 1. */
  readonly seconds: number;
}

export interface RateLimiter {
  /** Takes one point if there is one. A refusal takes none, so it lasts no longer than the window. */
  take(subject: string, limit: number): Allowance;
  /** Takes points even beyond the limit. */
  charge(subject: string, points: number): void;
  /** Points counted here that the other servers do not know yet. */
  unshared(): readonly Spent[];
  /** Takes over the totals of all servers, which now include `shared`. */
  merge(shared: readonly Spent[], totals: readonly Spent[]): void;
}

interface Account {
  window_number: number;
  /** Points on all servers, at the last exchange. */
  total: number;
  /** Points counted here and not yet in `total`. */
  own: number;
}

/** Starts at zero; `now_ms` is the time since 1970, nearly equal on all servers. */
export function createRateLimiter(now_ms: () => number, most_subjects = MAX_SUBJECTS): RateLimiter {
  const accounts = new LRUCache<string, Account>({
    max: most_subjects,
    dispose: (_, subject) => unshared.delete(subject),
  });
  const unshared = new Set<string>();

  function accountOf(subject: string, window_number: number): Account {
    const current = accounts.get(subject);
    if (current?.window_number === window_number) return current;
    const fresh = { window_number, total: 0, own: 0 };
    unshared.delete(subject);
    accounts.set(subject, fresh);
    return fresh;
  }

  function spend(account: Account, subject: string, points: number): void {
    account.own += points;
    unshared.add(subject);
  }

  return {
    take(subject, limit) {
      const { window_number, ends_in_ms } = windowOf(subject, now_ms());
      const account = accountOf(subject, window_number);
      const left = limit - account.total - account.own;
      if (left >= 1) spend(account, subject, 1);
      return {
        allowed: left >= 1,
        remaining: Math.max(0, left - 1),
        seconds: Math.max(1, Math.ceil(ends_in_ms / 1_000)),
      };
    },
    charge(subject, points) {
      spend(accountOf(subject, windowOf(subject, now_ms()).window_number), subject, points);
    },
    unshared: () =>
      [...unshared].flatMap((subject) => {
        const account = accounts.peek(subject);
        if (account === undefined) return [];
        return [{ subject, window_number: account.window_number, points: account.own }];
      }),
    merge(shared, totals) {
      const sent = new Map(shared.map(({ subject, points }) => [subject, points]));
      for (const { subject, window_number, points } of totals) {
        const account = accounts.peek(subject);
        if (account?.window_number !== window_number) continue; // the window has ended
        account.own = Math.max(0, account.own - (sent.get(subject) ?? 0));
        account.total = points;
        if (account.own === 0) unshared.delete(subject);
      }
    },
  };
}

/** The current window without jitter. No caller's window is older. */
export function windowNumber(now_ms: number): number {
  return Math.floor(now_ms / WINDOW_MS);
}

/** The window of a subject, shifted by a fixed jitter, so that refused callers do not all return in the same second. */
function windowOf(subject: string, now_ms: number): { window_number: number; ends_in_ms: number } {
  const shifted = now_ms + (crc32(subject) % WINDOW_MS);
  return { window_number: windowNumber(shifted), ends_in_ms: WINDOW_MS - (shifted % WINDOW_MS) };
}
