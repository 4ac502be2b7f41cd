/** The objects in the store, grouped by build. A listing may be stale: it never proves that an object is missing. */
import type { Store } from '../../store/store.ts';
import { accountPrefix, buildOfKey } from '../format/keys.ts';

/** The objects of one build, published or not. */
export interface StoredBuild {
  readonly prefix: string;
  readonly snapshot_id: string;
  /** Never empty. */
  readonly keys: readonly string[];
}

export interface StoredAccount {
  readonly account_id: bigint;
  /** By ascending prefix, so by ascending moment. */
  readonly builds: readonly StoredBuild[];
}

interface Gathered extends StoredBuild {
  readonly keys: string[];
}

/** Each account that has builds in the store, one at a time, or only the account `only`. */
export async function* storedAccounts(store: Store, only: bigint | null): AsyncGenerator<StoredAccount> {
  let account: bigint | null = null;
  let builds = new Map<string, Gathered>();
  // Keys are listed in ascending order, so the keys of an account are adjacent.
  for await (const key of store.list(accountPrefix(only))) {
    const found = buildOfKey(key);
    if (found === null) continue;
    const { account_id, prefix, snapshot_id } = found;
    if (account !== null && account !== account_id) {
      yield { account_id: account, builds: [...builds.values()] };
      builds = new Map();
    }
    account = account_id;
    const build = builds.get(prefix);
    if (build === undefined) builds.set(prefix, { prefix, snapshot_id, keys: [key] });
    else build.keys.push(key);
  }
  if (account !== null) yield { account_id: account, builds: [...builds.values()] };
}
