/**
 * The sums of entries by initiative, month and segment of a month, and those of the portfolio: figures of any window of whole
 * months, and of the windows that end on the day of the snapshot, follow from them without the entries. Capacity is not floored:
 * a reader adds the segments of a month inside its window, and `src/figures` then floors.
 */
import { TRAILING_WINDOWS } from '../figures/trailing.ts';
import type { FileSet } from './file-set.ts';
import { column, columnsOf, defineTable, field, repeating } from './table.ts';

/** A month is cut where a trailing window begins in it, and after the day of the snapshot. Latest first. */
const YEARS = Object.values(TRAILING_WINDOWS).flatMap(({ years }) => years ?? []);
const CUTS = [
  ':as_of + 1',
  ...YEARS.toSorted((a, b) => a - b).map((years) => `(:as_of - interval '${years} years')::date + 1`),
];

/** The first day of the segment of a day, and the last day of a segment. */
const FROM_DAY = `greatest(month, case ${CUTS.map((cut) => `when day >= ${cut} then ${cut}`).join(' ')} end)`;
const LAST_OF_MONTH = "(month + interval '1 month')::date - 1";
const NEXT_CUT = CUTS.toReversed().map((cut) => `when from_day < ${cut} then ${cut} - 1`);
const THROUGH_DAY = `least(${LAST_OF_MONTH}, case ${NEXT_CUT.join(' ')} end)`;

const AMOUNTS = ['cash_value', 'capacity', 'capacity_realized', 'capex', 'opex', 'vendor_price_effect'];
const SUMS = `max(latest_day) as latest_day, ${AMOUNTS.map((name) => `sum(${name}_cents)::bigint as ${name}_cents`).join(', ')}`;
const COLUMNS = `latest_day, ${AMOUNTS.map((name) => `${name}_cents`).join(', ')}`;
const FREES = 'capacity_cents > capacity_realized_cents';

/** An initiative is found by the statistics of row groups: with more rows it takes longer, with fewer the footer grows. */
const GROUP_ROWS = 8_192;

const SEGMENT = {
  initiative_id: repeating('id?', 'The initiative; empty for the portfolio.'),
  month: repeating('date?', 'The first day of the month; empty for entries without a date.'),
  from_day: repeating('date?', 'The first day of the segment.'),
  through_day: repeating('date?', 'Its last day.'),
} as const;
const SEGMENT_KEY = ['initiative_id', 'month', 'from_day', 'through_day'];
const IN_ORDER = SEGMENT_KEY.map((name) => `${name} nulls first`).join(', ');

/** Differences of amounts take a sixth less than amounts. No reader outside of this program reads the files. */
const DIFFERENCES = { encoding: 'delta' } as const;

/** An amount of which most rows have none: empty for 0, which takes a bit in place of some bytes. */
function amount(description: string) {
  return <Name extends string>(name: Name) =>
    column(name, 'cents?', `${description}; empty for none.`, { from: `nullif(${name}, 0)`, ...DIFFERENCES });
}

/**
 * Of the portfolio, the initiatives that freed more capacity in the segment than they realised are in one row, and the others in
 * another: floored, the two give the sum of what each initiative freed. A month that is cut has rows of the whole month, too.
 */
const month_sums = defineTable({
  name: 'month_sums',
  grain: 'one row per initiative and segment of a month, and two of the portfolio',
  description: 'What the entries of a segment of a month add up to, in cents of US dollars.',
  key: [...SEGMENT_KEY, 'frees'],
  from: `(
  with parts as materialized (
    select initiative_id, month, from_day, ${SUMS}
    from (select *, day as latest_day, ${FROM_DAY} as from_day from reporting.entry_amounts
      where account_id = :account_id and not is_sample) entries
    group by initiative_id, month, from_day
  ), placed as materialized (
    select *, ${THROUGH_DAY} as through_day from parts
  )
  select initiative_id, month, from_day, through_day, ${FREES} as frees, ${COLUMNS} from placed
  union all
  select null, month, from_day, through_day, ${FREES} as frees, ${SUMS} from placed
  group by month, from_day, through_day, frees
  union all
  select null, month, month, ${LAST_OF_MONTH}, ${FREES} as frees, ${SUMS}
  from (
    select initiative_id, month, ${SUMS} from placed
    where month in (select month from placed where from_day > month or through_day < ${LAST_OF_MONTH})
    group by initiative_id, month
  ) whole
  group by month, frees
) sums order by ${IN_ORDER}, frees`,
  group_rows: GROUP_ROWS,
  columns: columnsOf({
    ...SEGMENT,
    frees: repeating('boolean', 'Whether capacity is above realised capacity.'),
    latest_day: repeating(
      'date?',
      'The latest day on which an entry begins; empty unless it is after the day of the snapshot.',
      { from: 'case when latest_day > :as_of then latest_day end' },
    ),
    cash_value_cents: amount('Approved cash value'),
    capacity_cents: amount('Approved capacity, not floored'),
    capacity_realized_cents: amount('Approved realised capacity, which is in `cash_value_cents` too'),
    capex_cents: amount('One-time cost'),
    opex_cents: amount('Running cost'),
    vendor_price_effect_cents: field(
      'cents?',
      'The part of value that comes from prices of vendors.',
      DIFFERENCES,
    ),
  }),
});

const month_sums_unsettled = defineTable({
  name: 'month_sums_unsettled',
  grain: 'one row per initiative, segment of a month, kind and currency, and one of the portfolio',
  description: 'Amounts of a segment of a month that have no dollar figure, or a provisional one.',
  key: [...SEGMENT_KEY, 'kind', 'currency'],
  from: `(
  select *, ${THROUGH_DAY} as through_day
  from (
    select initiative_id, month, from_day, kind, currency, sum(amount_cents)::bigint as amount_cents, count(*)::integer as entries
    from (select *, ${FROM_DAY} as from_day from (
      select *, date_trunc('month', day)::date as month from reporting.unsettled_amounts
      where account_id = :account_id and not is_sample) dated) entries
    group by grouping sets (
      (initiative_id, month, from_day, kind, currency),
      (month, from_day, kind, currency)
    )
  ) parts
) sums order by ${IN_ORDER}, kind collate "C", currency collate "C"`,
  group_rows: GROUP_ROWS,
  columns: columnsOf({
    ...SEGMENT,
    kind: field('string', 'What is not settled.', {
      values: ['capacity_left_out', 'cash_left_out', 'cost_left_out', 'provisional_cost'],
    }),
    currency: repeating('string', 'The currency of the amount; dollars for provisional cost.'),
    amount_cents: field('cents', 'The sum, in cents of `currency`.', DIFFERENCES),
    entries: field('integer', 'The number of entries.'),
  }),
});

export const SUM_TABLES = { month_sums, month_sums_unsettled } as const;

/** The sums as a set of files. Only pages and the API read them: a reporting token reads entries and `reported_totals`. */
export const SUMS_SET = {
  name: 'sums',
  tables: Object.values(SUM_TABLES),
  called: 'table of sums',
  folder: 'sums/',
  checks: 'sums',
  control: null,
  report: 'sums.json',
  served: false,
  derived: true,
  queued: true,
} as const satisfies FileSet;
