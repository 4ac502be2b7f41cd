import { z } from '@hono/zod-openapi';
import { type CostEntryRow, listCostEntries } from '../../ledger/lists/cost-entries.ts';
import type { InitiativeRow } from '../../ledger/lists/initiatives.ts';
import { listValueEntries, type ValueEntryRow } from '../../ledger/lists/value-entries.ts';
import type { NoteRow } from '../../ledger/lists/recent-notes.ts';
import { noSuchRecord } from '../../ledger/lists/require-initiative.ts';
import type { ComparedInitiative } from '../live/budget-comparisons.ts';
import type { EntryList } from '../live/source.ts';
import { endedOn } from '../../figures/budget.ts';
import type { Day } from '../../figures/calendar.ts';
import { INITIATIVE } from '../../tables/records/initiative.ts';
import { recordAnswers } from '../contract/record-answer.ts';
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
import { chooseToolSource, snapshotInput } from './named-snapshot.ts';
import { cut, ENTRIES_ASKED, joinEntries } from './recent-page.ts';
import { statusOf } from './rolled-up-status.ts';
import { defineTool, TOOL_TIMEOUT_MS } from './tool.ts';
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
  async answer(parts, { initiative_id: requested_id, snapshot }, caller) {
    const { source, asOf } = await chooseToolSource(parts, caller, snapshot);
    const session = { timeout_ms: TOOL_TIMEOUT_MS, figures: true, lists: true };
    return await source.read(session, async (reads) => {
      const initiative = await reads.initiativeRow(BigInt(requested_id));
      const compared = initiative === null ? null : await reads.budget(initiative);
      if (initiative === null || compared === null) throw noSuchRecord();
      const costs = await reads.latest(COSTS, initiative, ENTRIES_ASKED);
      const values = await reads.latest(VALUES, initiative, ENTRIES_ASKED);
      const notes = await reads.notes(initiative.id, NOTES + 1);
      const { as_of } = await reads.moment();
      return {
        ...answerOf(initiative, {
          compared,
          costs: joinEntries(costs),
          values: joinEntries(values),
          as_of,
          notes: cut(notes ?? [], NOTES),
        }),
        ...(notes === null && { notes_left_out: true }),
        ...asOf,
      };
    });
  },
  tell: tellInitiative,
});

const showInitiative = recordAnswers(INITIATIVE);

const COSTS: EntryList<CostEntryRow> = { name: 'cost_entries', read: listCostEntries };
const VALUES: EntryList<ValueEntryRow> = { name: 'value_entries', read: listValueEntries };

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
  const confirmed = initiative.plan_confirmed ?? null;
  return shownAs(planAnswer, showInitiative(initiative, {}), { value_period, confirmed });
}

function budgetOf({ comparison }: ComparedInitiative, page: string | null): InitiativeAnswer['budget'] {
  const version = comparison.current_version?.id;
  return shownAs(budgetAnswer, comparison, {
    started_on: comparison.budget_started_on,
    ended_on: endedOn(comparison),
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
