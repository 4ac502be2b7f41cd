/** Answers from the ledger, as it is now. */
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import { readFiscalYearStart } from '../../ledger/accounts.ts';
import { listAiSpend } from '../../ledger/lists/ai-spend.ts';
import { readLinks } from '../../ledger/lists/application-url.ts';
import { horizonForLists } from '../../ledger/lists/horizon.ts';
import { findInitiative, readInitiativeHeads } from '../../ledger/lists/initiatives.ts';
import { readRecentNotes } from '../../ledger/lists/recent-notes.ts';
import { sumAiUsage } from '../../ledger/lists/usage-sums.ts';
import { readLeftOutBills } from '../../ledger/moment/left-out.ts';
import { requireInitiative } from '../../ledger/lists/require-initiative.ts';
import { type ComparisonCache, type KnownComparisons, listComparisons } from './budget-comparisons.ts';
import { inFigureMoment } from './figure-moment.ts';
import { readInitiativeFigures } from './initiative-figures.ts';
import { answerRoi, readRoi, type RoiParts } from './ledger-roi.ts';
import type { ListPage, Reads, Source } from './source.ts';
import type { Instant } from '../../instant.ts';

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
  readonly horizon: Instant | null;
  readonly today: () => Promise<Day>;
  readonly known: KnownComparisons | null;
}

function readsOf(client: ClientBase, { account_id, horizon, today, known }: Opened): Reads {
  const listed = (page: ListPage) => {
    if (horizon === null) throw new RangeError('a session without lists has no horizon');
    return { ...page, account_id, horizon };
  };
  const firstPage = (rows: number) => listed({ after: null, rows });
  let read: Promise<FiscalMoment> | undefined;
  const moment = () => (read ??= readMoment());
  const readMoment = async (): Promise<FiscalMoment> => ({
    as_of: await today(),
    fiscal_year_start_month: await readFiscalYearStart(client, account_id),
  });
  return {
    moment,
    initiative: (named) => requireInitiative(client, account_id, named),
    page: (list, page, filters) => list.read(client, listed(page), filters),
    record: async ({ find }, id) => (await find?.(client, account_id, id)) ?? null,
    comparisons: async (page, filters) =>
      listComparisons(client, listed(page), filters, await today(), known),
    newest: (list, rows) => list.read(client, { ...firstPage(rows), first: 'newest change' }, {}),
    roi: async (question) => readRoi(client, { ...question, account_id, moment: await moment() }),
    initiativeFigures: async (window) =>
      readInitiativeFigures(client, { account_id, window, moment: await moment() }),
    heads: () => readInitiativeHeads(client, account_id),
    initiativeRow: (id) => findInitiative(client, account_id, id),
    async budget({ id, updated_at }) {
      // A horizon after the initiative's last change, so that the initiative itself is always read.
      const page = { account_id, horizon: updated_at + 1n, after: null, rows: 1 };
      const own = { initiative_id: id, include_sample: false };
      return (await listComparisons(client, page, own, await today()))[0] ?? null;
    },
    async latest({ read: readEntries }, { id }, { dated, undated }) {
      const own = { initiative_id: id, include_sample: false };
      return {
        dated: await readEntries(client, { ...firstPage(dated), first: 'newest period' }, own),
        undated: await readEntries(client, { ...firstPage(undated), first: 'undated' }, own),
      };
    },
    notes: (initiative_id, rows) => readRecentNotes(client, account_id, { initiative_id, rows }),
    aiSpend: (days) => listAiSpend(client, account_id, days),
    billsLeftOut: () => readLeftOutBills(client, account_id),
    aiUsage: (days) => sumAiUsage(client, account_id, days),
    links: () => readLinks(client, account_id),
  };
}
