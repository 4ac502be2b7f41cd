/** The last use of each token: noted in memory and written in batches, so that no request waits for a write. */
import { errorFields, type Logger } from '../../log.ts';
import type { TokenUse } from '../../ops/token-uses.ts';
import { hasSqlState, SQLSTATE } from '../../postgres-errors.ts';

export interface UseNotes {
  /** Notes a use, in memory only. */
  note(use: TokenUse): void;
  /**
   * Writes the uses noted since the last flush, each token once. Never rejects: uses that could not be written stay noted,
   * except a batch with a deleted token.
   */
  flush(): Promise<void>;
}

/** Starts with no noted use. */
export function noteTokenUses(keep: (uses: readonly TokenUse[]) => Promise<void>, logger: Logger): UseNotes {
  let noted = new Map<bigint, TokenUse>();
  return {
    note: (use) => void noted.set(use.token_id, use),
    flush: async () => {
      if (noted.size === 0) return;
      const uses = noted;
      noted = new Map();
      try {
        await keep([...uses.values()]);
      } catch (error) {
        logger.warn('uses.unkept', errorFields(error));
        // A newer use replaces an older one. A batch with a deleted token would fail again, so it is dropped.
        if (!hasSqlState(error, SQLSTATE.foreign_key_violation)) noted = new Map([...uses, ...noted]);
      }
    },
  };
}
