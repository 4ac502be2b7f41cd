/** The last use of each token, noted in memory and kept in batches: no request waits for a write. */
import { errorFields, type Logger } from '../../log.ts';
import type { TokenUse } from '../../ops/token-uses.ts';
import { hasSqlState, SQLSTATE } from '../../postgres-errors.ts';

export interface UseNotes {
  /** Notes a use; costs nothing but memory. */
  note(use: TokenUse): void;
  /** Keeps what was noted since the last time, each token once. Never fails: what could not be kept stays noted. */
  flush(): Promise<void>;
}

/** Starts without any. */
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
        // What was used again meanwhile is newer; a token that was deleted would fail every batch it is in.
        if (!hasSqlState(error, SQLSTATE.foreign_key_violation)) noted = new Map([...uses, ...noted]);
      }
    },
  };
}
