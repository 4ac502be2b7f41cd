/**
 * Points that callers spend, counted in memory in windows of a minute. What was spent here is added up with other
 * servers from time to time, not per request: a server alone is exact, several together are late by one exchange.
 */
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Spent } from '../../ops/rate-limits.ts';

export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
/** A subject is some 200 bytes. Who gets pushed out begins anew: with so many callers, no single one weighs much. */
const MAX_SUBJECTS = 100_000;

/** What a subject has left in its window. */
export interface Allowance {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until all of it is there again: 1 at least. */
  readonly seconds: number;
}

export interface Spending {
  /** Spends one point if there is one; a refusal spends nothing and so never lasts longer than the window. */
  take(subject: string, limit: number): Allowance;
  /** Spends points whether they are there or not. */
  charge(subject: string, points: number): void;
  /** What was spent here and nobody else knows of yet. */
  unshared(): readonly Spent[];
  /** Takes over what all servers together have spent, once `shared` is among it. */
  learn(shared: readonly Spent[], totals: readonly Spent[]): void;
}

interface Account {
  window_number: number;
  /** By all servers, as it was last told. */
  total: number;
  /** Here, and not yet in `total`. */
  own: number;
}

/** Starts with nothing spent; `now_ms` is the time since 1970, the same on all servers but for a moment. */
export function countSpending(now_ms: () => number, most_subjects = MAX_SUBJECTS): Spending {
  const accounts = new LRUCache<string, Account>({
    max: most_subjects,
    dispose: (_, subject) => unshared.delete(subject),
  });
  const unshared = new Set<string>();

  function accountOf(subject: string, window_number: number): Account {
    const found = accounts.get(subject);
    if (found?.window_number === window_number) return found;
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
    learn(shared, totals) {
      const sent = new Map(shared.map(({ subject, points }) => [subject, points]));
      for (const { subject, window_number, points } of totals) {
        const account = accounts.peek(subject);
        if (account?.window_number !== window_number) continue; // its window has ended meanwhile
        account.own = Math.max(0, account.own - (sent.get(subject) ?? 0));
        account.total = points;
        if (account.own === 0) unshared.delete(subject);
      }
    },
  };
}

/** The window that is running for whoever is not shifted; nobody's is older. */
export function windowNumber(now_ms: number): number {
  return Math.floor(now_ms / WINDOW_MS);
}

/** Shifted by the subject, so that those who were refused do not all come back in the same second. */
function windowOf(subject: string, now_ms: number): { window_number: number; ends_in_ms: number } {
  const shifted = now_ms + (crc32(subject) % WINDOW_MS);
  return { window_number: windowNumber(shifted), ends_in_ms: WINDOW_MS - (shifted % WINDOW_MS) };
}
