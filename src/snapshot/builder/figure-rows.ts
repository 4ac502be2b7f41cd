/** The rows of the tables that `src/figures` computes: made from sums read at the build's moment, not selected from a view. */
import type { ClientBase } from 'pg';
import { budgetRows } from '../../figures/budget-rows.ts';
import { utcDay } from '../../figures/calendar.ts';
import { foldTotals, type ReportedTotal } from '../../figures/totals.ts';
import { readFiscalYearStart } from '../../ledger/accounts.ts';
import { readInitiativeBudgets } from '../../ledger/moment/budget-entries.ts';
import { readInitiativeEntries } from '../../ledger/moment/initiative-entries.ts';
import { readPlanValue } from '../../ledger/moment/plan-value.ts';
import type { Row } from '../../parquet/row-fields.ts';
import { requireExactSums } from '../../sum-limit.ts';
import type { Instant } from '../../instant.ts';

interface FigureMoment {
  readonly account_id: bigint;
  readonly generated_at: Instant;
}

type FigureRows = (client: ClientBase, moment: FigureMoment) => AsyncIterable<Row>;

/** The function that makes the rows of a computed table, by the table's name. */
export const FIGURE_ROWS: Readonly<Record<string, FigureRows>> = {
  api_budget_spend: budgetSpend,
  api_plan_value: planValue,
  budget_vs_actual: budgetComparisons,
  reported_totals: reportedTotals,
};

async function* budgetComparisons(
  client: ClientBase,
  { account_id, generated_at }: FigureMoment,
): AsyncGenerator<Row> {
  const as_of = utcDay(generated_at);
  const fiscal_year_start_month = await readFiscalYearStart(client, account_id);
  const initiatives = readInitiativeBudgets(client, { account_id, as_of, wanted: 'all' });
  for await (const row of budgetRows(initiatives, { as_of, fiscal_year_start_month })) {
    requireExactSums(() => `initiative ${row.initiative_id}, budget on ${row.as_of}`, row);
    yield row;
  }
}

async function* budgetSpend(
  client: ClientBase,
  { account_id, generated_at }: FigureMoment,
): AsyncGenerator<Row> {
  const as_of = utcDay(generated_at);
  for await (const { initiative_id, spend } of readInitiativeBudgets(client, {
    account_id,
    as_of,
    wanted: 'all',
  })) {
    for (const { month, capex_cents, opex_cents } of spend) {
      yield { initiative_id, month, capex_cents, opex_cents };
    }
  }
}

async function* planValue(
  client: ClientBase,
  { account_id, generated_at }: FigureMoment,
): AsyncGenerator<Row> {
  for await (const row of readPlanValue(client, { account_id, as_of: utcDay(generated_at) })) {
    requireExactSums(() => `initiative ${row.initiative_id}, cash value in the currency of its plan`, row);
    yield row;
  }
}

async function* reportedTotals(
  client: ClientBase,
  { account_id, generated_at }: FigureMoment,
): AsyncGenerator<Row> {
  const as_of = utcDay(generated_at);
  const fiscal_year_start_month = await readFiscalYearStart(client, account_id);
  const fold = foldTotals({ as_of, fiscal_year_start_month });
  for await (const initiative of readInitiativeEntries(client, { account_id, as_of })) {
    for (const row of fold.addInitiative(initiative)) yield exact(row);
  }
  for (const row of fold.portfolioRows()) yield exact(row);
}

function exact(row: ReportedTotal): ReportedTotal {
  const scope = (): string => (row.initiative_id === null ? 'portfolio' : `initiative ${row.initiative_id}`);
  requireExactSums(() => `${scope()}, ${row.window_label}`, row);
  return row;
}
