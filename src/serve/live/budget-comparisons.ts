/** Initiatives compared with their budgets on a day, for `/budgets` and the assistant. */
import type { ClientBase } from 'pg';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { type BudgetComparison, compareBudget, type InitiativeBudget } from '../../figures/budget.ts';
import type { BudgetDay } from '../../figures/budget-days.ts';
import type { Day } from '../../figures/calendar.ts';
import { readFiscalYearStart } from '../../ledger/accounts.ts';
import { readInitiativeBudgets } from '../../ledger/moment/budget-entries.ts';
import { changedInitiatives, readSeen } from '../../ledger/lists/account-changes.ts';
import { listInitiativePositions } from '../../ledger/lists/initiatives.ts';
import type { PageQuestion, Position } from '../../ledger/lists/keyset.ts';
import { requireExactSums } from '../../sum-limit.ts';

/** An initiative's comparison, with its position in the list. */
export interface ComparedInitiative extends Position {
  readonly comparison: BudgetComparison;
}

export interface BudgetFilters {
  readonly initiative_id?: bigint | undefined;
  readonly include_sample: boolean;
}

/** The comparisons of an account, by initiative, with the facts that show later whether they are still valid. */
interface Compared {
  readonly today: Day;
  readonly fiscal_year_start_month: number;
  /** The version of the account's rows that the transaction saw. */
  readonly seen: string;
  readonly by_initiative: ReadonlyMap<bigint, BudgetComparison>;
}

/**
 * The comparisons that were cached before a transaction began, and the function that caches those of the transaction.
 */
export interface KnownComparisons {
  readonly known: Compared | undefined;
  readonly keep: (compared: Compared) => Promise<unknown>;
}

const COMPARISON_BYTES = 1_024;

/** Caches the comparisons of each account; each holds until its initiative or the account changes, or the day ends. */
export function createComparisonCache() {
  const cache = new Cache<bigint, Compared>({
    max_bytes: MEMORY_BUDGET.live_budgets,
    bytesOf: ({ by_initiative }) => (by_initiative.size + 1) * COMPARISON_BYTES,
  });
  /**
   * Call it before the transaction begins: the transaction then sees every row from which the cached comparisons were
   * computed.
   */
  return (account_id: bigint): KnownComparisons => ({
    known: cache.peek(account_id),
    keep: (compared) => cache.renew(account_id, () => Promise.resolve(compared)),
  });
}

export type ComparisonCache = ReturnType<typeof createComparisonCache>;

/**
 * A page of comparisons, oldest change first; the number of queries does not depend on the page's size. Only
 * comparisons that are not cached are computed, and those of initiatives whose entries changed since. If `comparisons` is
 * null, all are computed and none is cached. Call it in a transaction that sees one moment: a budget version and the costs
 * under it must agree.
 */
export async function listComparisons(
  client: ClientBase,
  page: PageQuestion,
  filters: BudgetFilters,
  today: Day,
  comparisons: KnownComparisons | null = null,
): Promise<readonly ComparedInitiative[]> {
  const { account_id } = page;
  const known = comparisons?.known;
  const positions = await listInitiativePositions(client, page, filters);
  const fiscal_year_start_month = await readFiscalYearStart(client, account_id);
  const day = { as_of: today, today, fiscal_year_start_month };
  const usable =
    known?.today === today && known.fiscal_year_start_month === fiscal_year_start_month ? known : undefined;
  const changed = usable === undefined ? null : await changedInitiatives(client, account_id, usable.seen);
  // A copy: another transaction may be adding other comparisons to the same ones.
  const compared = new Map(changed === null ? [] : usable?.by_initiative);
  for (const id of changed ?? []) compared.delete(id);
  const wanted = positions.map(({ id }) => id).filter((id) => !compared.has(id));
  if (wanted.length > 0) {
    for await (const each of readInitiativeBudgets(client, { account_id, as_of: today, wanted })) {
      compared.set(each.initiative_id, compareOn(each, day));
    }
  }
  if (comparisons !== null && (wanted.length > 0 || changed?.length !== 0)) {
    const seen = changed?.length === 0 ? usable?.seen : undefined;
    await comparisons.keep({
      today,
      fiscal_year_start_month,
      seen: seen ?? (await readSeen(client)),
      by_initiative: compared,
    });
  }
  return positions.flatMap((position) => {
    const comparison = compared.get(position.id);
    return comparison === undefined ? [] : [{ ...position, comparison }];
  });
}

/** The comparison on a day; throws if an amount has no exact JSON number. */
export function compareOn(budget: InitiativeBudget, day: BudgetDay): BudgetComparison {
  const comparison = compareBudget(budget, day);
  requireExactSums(() => `initiative ${budget.initiative_id}, budget on ${day.as_of}`, comparison);
  return comparison;
}
