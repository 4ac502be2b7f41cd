/** What stands in the store, build by build: a listing, so a hint of what there is and never a proof of what is not. */
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
  /** By ascending prefix, so the oldest moment first. */
  readonly builds: readonly StoredBuild[];
}

interface Gathered extends StoredBuild {
  readonly keys: string[];
}

/** Each account that has builds in the store, one at a time, or the one that is asked for. */
export async function* storedAccounts(store: Store, only: bigint | null): AsyncGenerator<StoredAccount> {
  let account: bigint | null = null;
  let builds = new Map<string, Gathered>();
  // Keys come in ascending order, so those of one account come together.
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
