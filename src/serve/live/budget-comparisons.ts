/** Initiatives compared with their budgets on a day, for `/budgets` and the assistant. */
import type { ClientBase } from 'pg';
import { type BudgetComparison, compareBudget, type InitiativeBudget } from '../../figures/budget.ts';
import type { BudgetDay } from '../../figures/budget-days.ts';
import type { Day } from '../../figures/calendar.ts';
import { readFiscalYearStart } from '../../ledger/accounts.ts';
import { readInitiativeBudgets } from '../../ledger/moment/budget-entries.ts';
import { listInitiativePlaces } from '../../ledger/lists/initiatives.ts';
import type { PageQuestion, Place } from '../../ledger/lists/keyset.ts';
import { requireExactSums } from '../../sum-limit.ts';

/** An initiative's comparison, with its position in the list. */
export interface ComparedInitiative extends Place {
  readonly comparison: BudgetComparison;
}

export interface BudgetFilters {
  readonly initiative_id?: bigint | undefined;
  readonly include_sample: boolean;
}

/**
 * A page of comparisons, oldest change first; the number of queries does not depend on the page's size. Call it in a
 * transaction that sees one moment: a budget version and the costs under it must agree.
 */
export async function listComparisons(
  client: ClientBase,
  page: PageQuestion,
  filters: BudgetFilters,
  today: Day,
): Promise<readonly ComparedInitiative[]> {
  const places = await listInitiativePlaces(client, page, filters);
  const fiscal_year_start_month = await readFiscalYearStart(client, page.account_id);
  const day = { as_of: today, today, fiscal_year_start_month };
  const compared = new Map<bigint, BudgetComparison>();
  const ids = places.map(({ id }) => id);
  for await (const each of readInitiativeBudgets(client, {
    account_id: page.account_id,
    asOf: today,
    wanted: ids,
  })) {
    compared.set(each.initiative_id, compareOn(each, day));
  }
  return places.flatMap((position) => {
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
