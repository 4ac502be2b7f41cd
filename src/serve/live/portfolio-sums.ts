/**
 * The sums of a portfolio over all time, cached by initiative. After a change of entries, only the sums of the changed
 * initiatives are read again. Then the sums of all initiatives are added up.
 */
import type { ClientBase } from 'pg';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import type { Day } from '../../figures/calendar.ts';
import { groupOf, type Sums } from '../../figures/rollup.ts';
import { addUnsettled, type UnsettledSum } from '../../figures/unsettled.ts';
import { changedInitiatives } from '../../ledger/lists/account-changes.ts';
import { countInitiatives } from '../../ledger/lists/initiatives.ts';
import type { EntryScope } from '../../ledger/moment/entry-scope.ts';
import { readInitiativeSums } from '../../ledger/moment/entry-sums.ts';
import { readInitiativeUnsettled } from '../../ledger/moment/unsettled-amounts.ts';
import { rolledUp } from './initiative-figures.ts';

/** An account with more initiatives is not cached: one sum over all its entries takes less memory. */
const MAX_INITIATIVES = 20_000;
const INITIATIVE_BYTES = 256;

interface InitiativeSums {
  readonly sums: Sums;
  readonly unsettled: readonly UnsettledSum[];
}

/** The sums of every initiative with entries, at one moment of the ledger. */
export interface PortfolioSums {
  /** The version of the account's rows that the transaction saw. */
  readonly seen: string;
  /** The day of the moment. Sums of another day are not used, because the ledger forgets changes after some days. */
  readonly today: Day;
  readonly initiatives: ReadonlyMap<bigint, InitiativeSums>;
}

/** The cache of one serving process, by account and whether samples count. */
export type PortfolioCache = Pick<Cache<string, PortfolioSums>, 'peek' | 'renew'>;

/** Makes an empty cache. */
export function createPortfolioCache(): PortfolioCache {
  return new Cache({
    max_bytes: MEMORY_BUDGET.live_sums,
    bytesOf: ({ initiatives }) => INITIATIVE_BYTES * (1 + initiatives.size),
  });
}

interface PortfolioMoment {
  readonly scope: Pick<EntryScope, 'account_id' | 'include_sample'>;
  readonly seen: string;
  readonly today: Day;
}

/**
 * Reads the sums in the caller's transaction. `before` must have been taken from the cache before that transaction
 * began: it then contains no change that this transaction does not see. Null for an account with too many initiatives.
 */
export async function readPortfolioSums(
  client: ClientBase,
  { scope: { account_id, include_sample }, seen, today }: PortfolioMoment,
  before: PortfolioSums | undefined,
): Promise<PortfolioSums | null> {
  const usable = before?.today === today ? before : undefined;
  const changed = usable === undefined ? null : await changedInitiatives(client, account_id, usable.seen);
  const scope = { account_id, initiative_id: null, include_sample, days: null };
  if (usable === undefined || changed === null) {
    if ((await countInitiatives(client, account_id)) > MAX_INITIATIVES) return null;
    return { seen, today, initiatives: await readInitiatives(client, scope) };
  }
  if (changed.length === 0) return { ...usable, seen };
  // A copy: another transaction may be adding other changes to the same sums.
  const initiatives = new Map(usable.initiatives);
  for (const id of changed) initiatives.delete(id);
  const [one = null] = changed;
  // Of a single initiative PostgreSQL looks that row up, instead of joining all initiatives.
  const part = changed.length === 1 ? { initiative_id: one } : { among: changed };
  for (const [id, sums] of await readInitiatives(client, { ...scope, ...part })) initiatives.set(id, sums);
  return { seen, today, initiatives };
}

async function readInitiatives(
  client: ClientBase,
  scope: EntryScope,
): Promise<ReadonlyMap<bigint, InitiativeSums>> {
  const groups = Map.groupBy(await readInitiativeSums(client, scope), ({ initiative_id }) => initiative_id);
  const unsettled = Map.groupBy(
    await readInitiativeUnsettled(client, scope),
    ({ initiative_id }) => initiative_id,
  );
  // An initiative with unsettled amounts has entries, and so it has groups.
  return new Map(
    Array.from(groups, ([id, sums]) => [
      id,
      { sums: groupOf(rolledUp(sums)), unsettled: unsettled.get(id) ?? [] },
    ]),
  );
}

/** The sums of all initiatives, to be rolled up, and their unsettled amounts. */
export function portfolioOf({ initiatives }: PortfolioSums): {
  readonly sums: readonly Sums[];
  readonly unsettled: readonly UnsettledSum[];
} {
  const all = [...initiatives.values()];
  return {
    sums: all.map(({ sums }) => sums),
    unsettled: addUnsettled(all.flatMap((each) => each.unsettled)),
  };
}
