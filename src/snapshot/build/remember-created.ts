/** What a build created in the store, to be deleted when the build fails. */
import { isCrossfootError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';

interface RememberedStore {
  readonly store: Store;
  /**
   * Deletes what was created, after the error that ended the build. Says false when a deletion may still come late: what
   * is created under these keys from then on may vanish.
   */
  readonly withdraw: (error: unknown) => Promise<boolean>;
}

/**
 * The same store, remembering what it created, so that a failed build leaves no files. Three rules: 1. only before the
 * log entry is written: from then on the files may be published. 2. only keys that this call created: a key that was
 * there belongs to an earlier call, which may have published it. 3. not after `store_outcome_unknown`: a late create
 * would come after the deletion. What cannot be deleted is left to the collector, as are all files of a builder whose
 * credentials may not delete; its first refusal ends the deletion.
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
        // The manifest first: what is half deleted must not look whole.
        for (const key of created.toReversed()) await inner.delete(key);
        return true;
      } catch (refusal) {
        // The error that ended the build says more.
        return !isCrossfootError(refusal, 'store_outcome_unknown');
      }
    },
  };
}
