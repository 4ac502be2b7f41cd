/** Initiatives against their budgets on a day, as `/budgets` and the assistant state them. */
import type { ClientBase } from 'pg';
import { type BudgetComparison, compareBudget } from '../../figures/budget.ts';
import type { Day } from '../../figures/calendar.ts';
import { readFiscalYearStart } from '../../ledger/accounts.ts';
import { readInitiativeBudgets } from '../../ledger/moment/budget-entries.ts';
import { listInitiativePlaces } from '../../ledger/lists/initiatives.ts';
import type { PageQuestion, Place } from '../../ledger/lists/keyset.ts';
import { requireExactSums } from '../../sum-limit.ts';

/** An initiative where it stands among all, with its comparison. */
export interface ComparedInitiative extends Place {
  readonly comparison: BudgetComparison;
}

export interface BudgetFilters {
  readonly initiative_id?: bigint | undefined;
  readonly include_sample: boolean;
}

/**
 * A page of initiatives, oldest change first, each compared: as many queries for a page as for one. Read in the
 * caller's transaction, which sees one moment, so that a version and what was spent under it agree.
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
  const wanted = places.map(({ id }) => id);
  for await (const each of readInitiativeBudgets(client, {
    account_id: page.account_id,
    asOf: today,
    wanted,
  })) {
    const comparison = compareBudget(each, day);
    requireExactSums(() => `initiative ${each.initiative_id}, budget on ${today}`, comparison);
    compared.set(each.initiative_id, comparison);
  }
  return places.flatMap((place) => {
    const comparison = compared.get(place.id);
    return comparison === undefined ? [] : [{ ...place, comparison }];
  });
}
