/** Remembers which objects a build created in the store, to delete them if the build fails. */
import { isCrossfootError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';

interface RememberedStore {
  readonly store: Store;
  /**
   * Deletes the created objects; `error` is the error that ended the build. Returns false if the store did not confirm a
   * deletion: the deletion may still happen later, and would also remove a new object with that key.
   */
  readonly withdraw: (error: unknown) => Promise<boolean>;
}

/**
 * Wraps a store so that a failed build leaves no files. Three rules limit what is deleted: 1. nothing after the writing of the
 * log entry began, because the files may be published; the caller sees to this. 2. only objects that this call created: an
 * object that existed belongs to an earlier call, which may have published it. 3. nothing after `store_outcome_unknown`,
 * because a late create could follow the deletion. The first refused deletion ends the clean-up. Prune deletes later what is
 * left, also if the builder's credentials may not delete.
 */
export function rememberCreated(inner: Store): RememberedStore {
  const created: string[] = [];
  return {
    store: {
      ...inner,
      async create(key, body, onDigest) {
        const outcome = await inner.create(key, body, onDigest);
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
