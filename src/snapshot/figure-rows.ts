/** The tables that are computed and not selected: their rows, folded from sums read at the build's moment. */
import type { ClientBase } from 'pg';
import { utcDay } from '../figures/calendar.ts';
import { foldTotals, type ReportedTotal } from '../figures/totals.ts';
import { readFiscalYearStart } from '../ledger/accounts.ts';
import { readInitiativeEntries } from '../ledger/initiative-entries.ts';

interface FigureMoment {
  readonly accountId: bigint;
  /** Microseconds since 1970 UTC. */
  readonly generatedAt: bigint;
}

type FigureRows = (client: ClientBase, moment: FigureMoment) => AsyncIterable<ReportedTotal>;

/** How the rows of each computed table are made, by the table's name. */
export const FIGURE_ROWS: Readonly<Record<string, FigureRows>> = { reported_totals: reportedTotals };

async function* reportedTotals(client: ClientBase, moment: FigureMoment): AsyncGenerator<ReportedTotal> {
  const { accountId, generatedAt } = moment;
  const as_of = utcDay(generatedAt);
  const fiscal_year_start_month = await readFiscalYearStart(client, accountId);
  const fold = foldTotals({ as_of, fiscal_year_start_month });
  for await (const initiative of readInitiativeEntries(client, { accountId, asOf: as_of })) {
    yield* fold.addInitiative(initiative);
  }
  yield* fold.portfolioRows();
}
