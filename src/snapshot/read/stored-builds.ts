/** The objects in the store, grouped by build and by comparison. A listing may be stale: it never proves that an object is missing. */
import type { Store } from '../../store/store.ts';
import { accountPrefix, buildOfKey, buildOfPartKey, comparisonOfKey } from '../format/keys.ts';

/** The objects of one build, published or not. */
export interface StoredBuild {
  readonly prefix: string;
  readonly snapshot_id: string;
  /** Never empty. */
  readonly keys: readonly string[];
}

/** The objects of the comparison of two snapshots. */
export interface StoredComparison {
  readonly prefix: string;
  /** The ids of its snapshots. */
  readonly from: string;
  readonly to: string;
  /** Never empty. */
  readonly keys: readonly string[];
}

export interface StoredAccount {
  readonly account_id: bigint;
  /** By ascending moment: each layout has its own directory, so the order of keys is another. */
  readonly builds: readonly StoredBuild[];
  readonly comparisons: readonly StoredComparison[];
  /** The parts that workers wrote for builds, by build. */
  readonly parts: readonly StoredBuild[];
}

type Gathered<Group> = Group & { readonly keys: string[] };

/** Each account that has builds, comparisons or parts in the store, one at a time, or only the account `only`. */
export async function* storedAccounts(store: Store, only: bigint | null): AsyncGenerator<StoredAccount> {
  let account: bigint | null = null;
  let builds = new Map<string, Gathered<StoredBuild>>();
  let comparisons = new Map<string, Gathered<StoredComparison>>();
  let parts = new Map<string, Gathered<StoredBuild>>();
  const gathered = (account_id: bigint): StoredAccount => ({
    account_id,
    builds: [...builds.values()].toSorted((a, b) => (a.snapshot_id < b.snapshot_id ? -1 : 1)),
    comparisons: [...comparisons.values()],
    parts: [...parts.values()],
  });
  // Keys are listed in ascending order, so the keys of an account are adjacent.
  for await (const key of store.list(accountPrefix(only))) {
    const [build, comparison, part] = [buildOfKey(key), comparisonOfKey(key), buildOfPartKey(key)];
    const found = build ?? comparison ?? part;
    if (found === null) continue;
    if (account !== null && account !== found.account_id) {
      yield gathered(account);
      [builds, comparisons, parts] = [new Map(), new Map(), new Map()];
    }
    account = found.account_id;
    if (build !== null) {
      const { prefix, snapshot_id } = build;
      add(builds, { prefix, snapshot_id, keys: [] }, key);
    }
    if (comparison !== null) {
      const { prefix, from, to } = comparison;
      add(comparisons, { prefix, from, to, keys: [] }, key);
    }
    if (part !== null) {
      const { prefix, snapshot_id } = part;
      add(parts, { prefix, snapshot_id, keys: [] }, key);
    }
  }
  if (account !== null) yield gathered(account);
}

function add<Group extends { readonly prefix: string; readonly keys: string[] }>(
  groups: Map<string, Group>,
  group: Group,
  key: string,
): void {
  const found = groups.get(group.prefix) ?? group;
  groups.set(group.prefix, found);
  found.keys.push(key);
}
