/** Keeps the pages prepared of the accounts that people looked at last: also of a snapshot that was published since. */
import type { PreparePages } from '../../serve/prepare-pages.ts';

/** The pages of further accounts are read when a person opens them. */
const MAX_ACCOUNTS = 16;

export interface LookedAt {
  /** A person looked at a page of the account. */
  readonly note: (account_id: bigint) => void;
  /**
   * Prepares the pages of each such account with a snapshot that was not prepared yet, one account after the other. A call
   * while another one runs does nothing. Never rejects.
   */
  readonly prepare: () => Promise<void>;
  /** Prepares no further account, and tells no more failures. */
  readonly stop: () => void;
}

interface Parts {
  /** The id of the newest snapshot of an account; null without one. */
  readonly newestOf: (account_id: bigint) => Promise<string | null>;
  readonly prepare: PreparePages;
  /** Told why the pages of an account could not be prepared. They are not tried again before the next snapshot. */
  readonly onUnprepared: (account_id: bigint, error: unknown) => void;
}

export function watchLooks({ newestOf, prepare, onUnprepared }: Parts): LookedAt {
  /** The snapshot that was prepared last of each account; the account that was looked at last is the last one. */
  const accounts = new Map<bigint, string | null>();
  let isRunning = false;
  let isStopped = false;

  async function prepareOne(account_id: bigint): Promise<void> {
    try {
      // If it cannot be read, the page of a person says why.
      const newest = await newestOf(account_id).catch(() => null);
      if (newest === null || accounts.get(account_id) === newest) return;
      if (accounts.has(account_id)) accounts.set(account_id, newest);
      await prepare(account_id);
    } catch (error) {
      if (!isStopped) onUnprepared(account_id, error);
    }
  }

  return {
    note(account_id) {
      const prepared = accounts.get(account_id) ?? null;
      accounts.delete(account_id);
      accounts.set(account_id, prepared);
      const [oldest] = accounts.keys();
      if (accounts.size > MAX_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
    },
    async prepare() {
      if (isRunning) return;
      isRunning = true;
      for (const account_id of [...accounts.keys()].toReversed()) {
        if (!isStopped) await prepareOne(account_id);
      }
      isRunning = false;
    },
    stop: () => {
      isStopped = true;
    },
  };
}
