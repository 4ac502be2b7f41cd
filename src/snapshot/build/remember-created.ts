/** Remembers which objects a build created in the store, to delete them if the build fails. */
import { isCrossfootError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';

interface RememberedStore {
  readonly store: Store;
  /**
   * Deletes the created objects, given the error that ended the build. Returns false if a deletion was not confirmed: it
   * may still happen, and then removes any object created under that key since.
   */
  readonly withdraw: (error: unknown) => Promise<boolean>;
}

/**
 * Wraps a store so that a failed build leaves no files. Three rules limit what is deleted: 1. nothing once the log entry
 * is being written, because the files may be published. 2. only keys that this call created: an existing key belongs to
 * an earlier call, which may have published it. 3. nothing after `store_outcome_unknown`, because a late create could
 * follow the deletion. Prune deletes what is left, also for a builder whose credentials may not delete: the first refused
 * deletion ends the clean-up.
 */
export function rememberCreated(inner: Store): RememberedStore {
  const created: string[] = [];
  return {
    store: {
      ...inner,
      async create(key, body) {
        const outcome = await inner.create(key, body);
        if (outcome === 'created') created.push(key);
        return outcome;
      },
    },
    async withdraw(error) {
      if (isCrossfootError(error, 'store_outcome_unknown')) return true;
      try {
        // The manifest first: a half-deleted build must not look whole.
        for (const key of created.toReversed()) await inner.delete(key);
        return true;
      } catch (refusal) {
        // Do not throw this error: the error that ended the build says more.
        return !isCrossfootError(refusal, 'store_outcome_unknown');
      }
    },
  };
}
