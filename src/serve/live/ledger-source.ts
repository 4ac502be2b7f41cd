/** Answers from the ledger, as it is now. */
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import { readFiscalYearStart } from '../../ledger/accounts.ts';
import { horizonForLists } from '../../ledger/lists/horizon.ts';
import { requireInitiative } from '../../ledger/lists/require-initiative.ts';
import { type ComparisonCache, type KnownComparisons, listComparisons } from './budget-comparisons.ts';
import { inFigureMoment } from './figure-moment.ts';
import { answerRoi, type RoiParts } from './ledger-roi.ts';
import type { ListPage, Reads, Source } from './source.ts';

export interface LedgerParts extends RoiParts {
  readonly comparisons: ComparisonCache;
}

/** The ledger as the source of an account's answers. */
export function ledgerSource(parts: LedgerParts, account_id: bigint): Source {
  return {
    account_id,
    snapshot_id: undefined,
    async read({ timeout_ms, figures = false, lists = false }, work) {
      const session = { account_id, timeout_ms };
      // The horizon is read before the rows: otherwise the page would miss rows of a writer that commits in between.
      const listing = { ...session, withHorizon: lists };
      if (!figures) {
        return await parts.inAccount(listing, async (client, seen) => {
          const horizon = lists ? horizonForLists(seen) : null;
          const today = () => parts.readToday(client);
          return await work(readsOf(client, { account_id, horizon, today, known: null }));
        });
      }
      // The rows of figures see one moment. A horizon of their own transaction would be later than their rows: a change that
      // commits in between would be below the horizon but not among the rows, and no page would ever have it.
      const horizon = lists ? await parts.inAccount(listing, async (_, seen) => horizonForLists(seen)) : null;
      const known = parts.comparisons(account_id);
      return await inFigureMoment(parts, session, (client, day) =>
        work(readsOf(client, { account_id, horizon, today: () => Promise.resolve(day), known })),
      );
    },
    roi: (question) => answerRoi(parts, account_id, question),
  };
}

interface Opened {
  readonly account_id: bigint;
  /** Null if the session reads no lists. */
  readonly horizon: bigint | null;
  readonly today: () => Promise<Day>;
  readonly known: KnownComparisons | null;
}

function readsOf(client: ClientBase, { account_id, horizon, today, known }: Opened): Reads {
  const listed = (page: ListPage) => {
    if (horizon === null) throw new RangeError('a session without lists has no horizon');
    return { ...page, account_id, horizon };
  };
  return {
    moment: async () => ({
      as_of: await today(),
      fiscal_year_start_month: await readFiscalYearStart(client, account_id),
    }),
    initiative: (named) => requireInitiative(client, account_id, named),
    page: (list, page, filters) => list.read(client, listed(page), filters),
    record: async ({ find }, id) => (await find?.(client, account_id, id)) ?? null,
    comparisons: async (page, filters) =>
      listComparisons(client, listed(page), filters, await today(), known),
  };
}
