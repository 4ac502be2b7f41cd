import { listCostEntries } from '../../ledger/lists/cost-entries.ts';
import { include_sample, initiative_id, period_from, period_to, updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';
import {
  component,
  day,
  integer,
  number,
  oneOfThese,
  source,
  text,
  timestamp,
  boolean,
} from '../contract/shapes.ts';
import { shownAs, shownSource } from '../contract/shown.ts';

const row = component('CostEntry', 'A cost of an initiative.', {
  id: integer('The cost entry.'),
  initiative_id: integer('The initiative that bears the cost.'),
  amount_cents: integer('The cost in cents of `currency`, as recorded; negative for a credit.').nullable(),
  currency: text('The ISO 4217 currency of the entry.').nullable(),
  usd_amount_cents: integer(
    'The cost in US cents; null, and in no total of `/roi`, for a currency without published rates or a cost locked in its month before conversion.',
  ).nullable(),
  usd_rate: number(
    'US dollars per unit of `currency`; null for a dollar entry, or without a rate.',
  ).nullable(),
  usd_rate_from: day('The first rate day averaged; null without a rate.').nullable(),
  usd_rate_through: day('The last rate day averaged; null without a rate.').nullable(),
  usd_rate_provisional: boolean(
    'True while the latest rate replaces the average of an incomplete period. The amount moves to the average later, and `updated_at` with it, unless the month was locked before.',
  ),
  cost_type: text(
    "What was paid for, for example software, tokens, implementation or infrastructure; `adjustment` corrects a linked vendor's usage to the books' price and may be negative; null when not given.",
  ).nullable(),
  cost_category: oneOfThese(
    ['capex', 'opex'],
    'One-time cost (`capex`) or running cost (`opex`); follows from the type unless a person changed it.',
  ),
  period_start: day(
    'The first day of the period, which decides the window; null for an undated cost.',
  ).nullable(),
  period_end: day('The last day of the period; null when none was given.').nullable(),
  vendor_id: integer(
    'The field to group spend by: resolved from `vendor_name`, and changed when vendors are merged; null without a name.',
  ).nullable(),
  vendor_name: text('The vendor as recorded; one vendor can carry several names.').nullable(),
  description: text('Free text; null when none was given.').nullable(),
  notes: text('Free text; null when none was given.').nullable(),
  is_estimated: boolean('True when the entry was marked as an estimate.'),
  locked: boolean(
    'True in a locked accounting period: the entry cannot be changed or deleted until the month is reopened.',
  ),
  source,
  created_at: timestamp('First written.'),
  updated_at: timestamp('The last change; lists are ordered by it.'),
});

/** Every cost entry, with its dollar figure and its lock. */
export const cost_entries = defineResource({
  name: 'cost_entries',
  component: 'CostEntry',
  sentence: 'Costs of initiatives.',
  row,
  filters: { updated_since, initiative_id, period_from, period_to, include_sample },
  read: listCostEntries,
  show: (entry) => shownAs(row, entry, { source: shownSource(entry) }),
});
