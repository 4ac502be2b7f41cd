import { z } from '@hono/zod-openapi';
import { type CostEntryRow, listCostEntries } from '../../ledger/lists/cost-entries.ts';
import { findInitiative, type InitiativeRow } from '../../ledger/lists/initiatives.ts';
import { listValueEntries, type ValueEntryRow } from '../../ledger/lists/value-entries.ts';
import { readHorizon } from '../../ledger/lists/horizon.ts';
import { type NoteRow, readRecentNotes } from '../../ledger/lists/recent-notes.ts';
import { noSuchRecord } from '../../ledger/lists/require-initiative.ts';
import { type ComparedInitiative, listComparisons } from '../live/budget-comparisons.ts';
import { inFigureMoment } from '../live/figure-moment.ts';
import { listFrozenComparisons } from '../live/snapshot-budgets.ts';
import { type FrozenRow, frozenRows } from '../live/snapshot-files.ts';
import { readFrozenLatest, readFrozenPage } from '../live/snapshot-lists.ts';
import type { Day } from '../../figures/calendar.ts';
import { showInitiative } from '../resources/initiatives.ts';
import { instant, shownAs } from '../contract/shown.ts';
import {
  budgetAnswer,
  type CostAnswer,
  costAnswer,
  type InitiativeAnswer,
  initiativeAnswer,
  initiativeFields,
  planAnswer,
  type ValueAnswer,
  valueAnswer,
} from './initiative-shape.ts';
import { tellInitiative } from './initiative-text.ts';
import { initiative_id } from './inputs.ts';
import { openNamed, type SnapshotCaller, snapshotInput } from './named-snapshot.ts';
import { cut, ENTRIES_ASKED, joinEntries, readLatestEntries } from './recent-page.ts';
import { statusOf } from './rolled-up-status.ts';
import { defineTool, TOOL_TIMEOUT_MS, type ToolParts } from './tool.ts';
import { cutName, cutText } from './user-text.ts';

const NOTES = 5;
// About three paragraphs.
const LONGEST_TEXT = 2_000;
const LONGEST_NOTE = 500;

/** One initiative, with data of `/initiatives/{id}` and `/budgets` and the newest rows of the entry lists. */
export const get_initiative = defineTool({
  name: 'get_initiative',
  title: 'One initiative',
  description:
    'Use this for what one initiative is about and how it stands: stage, owner, business case, approved budget against spend to date, ' +
    'and its costs and value entries of the latest periods, and its latest notes. ' +
    'The entries shown are the latest few and make no total: for totals and return use get_roi_summary with the same initiative_id. ' +
    'Amounts are integer cents of the currency beside them; cash value and freed capacity are never added.',
  input: z.strictObject({ initiative_id, ...snapshotInput }),
  output: initiativeAnswer,
  async answer(parts, account_id, { initiative_id: requested_id, snapshot }, caller) {
    const id = BigInt(requested_id);
    if (snapshot !== undefined) return await answerAsOf(parts, caller, { snapshot, id });
    const session = { account_id, timeout_ms: TOOL_TIMEOUT_MS };
    // The horizon is read before the transaction begins, as for lists.
    const horizon = await parts.inAccount(session, readHorizon);
    return await inFigureMoment(parts, session, async (client, today) => {
      const initiative = await findInitiative(client, account_id, id);
      if (initiative === null) throw noSuchRecord();
      const own = { initiative_id: id, include_sample: false };
      // A horizon after the initiative's last change, so that the initiative itself is always read.
      const itself = { account_id, horizon: initiative.updated_at + 1n, after: null, rows: 1 };
      const [compared] = await listComparisons(client, itself, own, today);
      if (compared === undefined) throw noSuchRecord();
      const costs = await readLatestEntries(account_id, horizon, (page) =>
        listCostEntries(client, page, own),
      );
      const values = await readLatestEntries(account_id, horizon, (page) =>
        listValueEntries(client, page, own),
      );
      const asking = { initiative_id: id, rows: NOTES + 1 };
      const notes = cut(await readRecentNotes(client, account_id, asking), NOTES);
      return answerOf(initiative, { compared, costs, values, as_of: today, notes });
    });
  },
  tell: tellInitiative,
});

interface Asked {
  readonly snapshot: string;
  readonly id: bigint;
}

/** The initiative as of a snapshot, which holds no notes. */
async function answerAsOf(
  { snapshots, figureSlots }: ToolParts,
  caller: SnapshotCaller,
  { snapshot, id }: Asked,
): Promise<InitiativeAnswer> {
  const { files, moment, asOf } = await openNamed(snapshots, caller, snapshot);
  return await figureSlots.run(caller.account_id, async () => {
    const itself = { after: null, rows: 1 };
    const [found] = await readFrozenPage(files, 'initiatives', itself, { id });
    const [compared] = await listFrozenComparisons(files, itself, { initiative_id: id });
    const columns = ['initiative_id', 'stage', 'planned_value_period', 'app_url', 'currency'] as const;
    let more: FrozenRow<'initiatives', typeof columns> | undefined;
    for await (const row of frozenRows(await files.table('initiatives'), columns)) {
      if (row.initiative_id === id) more = row;
    }
    if (found === undefined || compared === undefined || more === undefined) throw noSuchRecord();
    // The companion and the table together have the fields of the initiative.
    const initiative = { ...found, ...more };
    const page = initiative.app_url;
    const costs = await readFrozenLatest(files, 'cost_entries', id, ENTRIES_ASKED);
    const values = await readFrozenLatest(files, 'value_entries', id, ENTRIES_ASKED);
    const paged = <Row>(rows: readonly { readonly id: bigint }[], kind: 'costs' | 'value') =>
      // The companion has all columns of the list except the page.
      rows.map((row) => ({ ...row, app_url: page === null ? null : `${page}/${kind}/${row.id}` })) as Row[];
    return {
      ...answerOf(initiative, {
        compared,
        costs: joinEntries<CostEntryRow>(paged(costs.dated, 'costs'), paged(costs.undated, 'costs')),
        values: joinEntries<ValueEntryRow>(paged(values.dated, 'value'), paged(values.undated, 'value')),
        as_of: moment.as_of,
        notes: { rows: [], has_more: false },
      }),
      notes_left_out: true,
      ...asOf,
    };
  });
}

interface Parts {
  readonly compared: ComparedInitiative;
  readonly costs: { readonly rows: readonly CostEntryRow[]; readonly has_more: boolean };
  readonly values: { readonly rows: readonly ValueEntryRow[]; readonly has_more: boolean };
  readonly notes: { readonly rows: readonly NoteRow[]; readonly has_more: boolean };
  readonly as_of: Day;
}

function answerOf(
  initiative: InitiativeRow,
  { compared, costs, values, notes, as_of }: Parts,
): InitiativeAnswer {
  return shownAs(initiativeFields, initiative, {
    title: cutName(initiative.title),
    category: cutName(initiative.category),
    department: cutName(initiative.department),
    business_unit: cutName(initiative.business_unit),
    owner_name: cutName(initiative.owner_name),
    description: cutText(initiative.description, LONGEST_TEXT),
    hypothesis: cutText(initiative.hypothesis, LONGEST_TEXT),
    business_case: planOf(initiative),
    status: statusOf(initiative.stage),
    budget: budgetOf(compared, initiative.app_url),
    recent_costs: { entries: costs.rows.map(costOf), has_more: costs.has_more },
    recent_value_entries: { entries: values.rows.map(valueOf), has_more: values.has_more },
    notes: {
      entries: notes.rows.map(({ body, author_name, created_at }) => ({
        body: cutText(body, LONGEST_TEXT),
        author_name: cutName(author_name),
        created_at: instant(created_at),
      })),
      has_more: notes.has_more,
    },
    as_of,
  });
}

function planOf(initiative: InitiativeRow): InitiativeAnswer['business_case'] {
  const value_period = initiative.planned_value_period ?? 'annually';
  return shownAs(planAnswer, showInitiative(initiative), { value_period });
}

function budgetOf({ comparison }: ComparedInitiative, page: string | null): InitiativeAnswer['budget'] {
  const version = comparison.current_version?.id;
  return shownAs(budgetAnswer, comparison, {
    started_on: comparison.budget_started_on,
    app_url: page === null || version === undefined ? page : `${page}/budget/${version}`,
  });
}

function costOf(row: CostEntryRow): CostAnswer {
  return shownAs(costAnswer, row, {
    cost_type: cutName(row.cost_type),
    vendor_name: cutName(row.vendor_name),
    description: cutText(row.description, LONGEST_NOTE),
  });
}

function valueOf(row: ValueEntryRow): ValueAnswer {
  return shownAs(valueAnswer, row, {
    counts_as: countsAs(row.entry_type),
    notes: cutText(row.notes, LONGEST_NOTE),
  });
}

function countsAs(type: ValueAnswer['entry_type']): ValueAnswer['counts_as'] {
  if (type === null) return 'undecided';
  return type === 'capacity' ? 'freed_capacity' : 'cash_value';
}
