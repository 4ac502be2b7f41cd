/** Waits a moment for work that takes long. Readers of a page then see that it goes on, and later find what it gave. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Work that ends in this time shows no page that only says so. */
const PATIENCE_MS = 400;

interface Patience {
  /** Throws the error of work that failed while no request waited for it; once. */
  readonly requireUnfailed: (key: string) => void;
  /** The result if the work ends while the reader waits, else null. An error is kept for the next request if `keeps` says so. */
  readonly unlessSlow: <Value>(
    key: string,
    work: Promise<Value>,
    keeps?: (error: unknown) => boolean,
  ) => Promise<Value | null>;
}

/** `wait` ends when a reader has waited long enough. */
export function createPatience(wait: () => Promise<void> = patience): Patience {
  const failed = new Map<string, unknown>();
  return {
    requireUnfailed(key) {
      if (!failed.has(key)) return;
      const error = failed.get(key);
      failed.delete(key);
      throw error;
    },
    async unlessSlow(key, work, keeps = () => true) {
      const ended = work.catch((error: unknown) => {
        if (keeps(error)) failed.set(key, error);
        return null;
      });
      return await Promise.race([ended, wait().then(() => null)]);
    },
  };
}

async function patience(): Promise<void> {
  await sleep(PATIENCE_MS, undefined, { ref: false });
}
