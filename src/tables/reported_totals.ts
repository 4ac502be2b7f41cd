import { columnsOf, defineTable, field, repeating } from './table.ts';

/** The totals of every window. A reader who adds up the entries must get these figures. */
export const reported_totals = defineTable({
  name: 'reported_totals',
  grain: 'one row per window, for the portfolio and each initiative',
  description:
    'Totals in US cents for all time and for each fiscal quarter and year, without gaps, from the first with value or cost; freed capacity is in neither net value nor ROI.',
  key: ['scope', 'initiative_id', 'window_key'],
  from: null,
  columns: columnsOf({
    scope: field('string', 'Whether the row is for the whole portfolio or for one initiative.', {
      values: ['portfolio', 'initiative'],
    }),
    initiative_id: repeating('id?', 'The initiative of the row; empty on portfolio rows.', {
      references: 'initiatives',
    }),
    window_kind: field('string', 'What kind of window the row covers.', {
      values: ['all_time', 'fiscal_quarter', 'fiscal_year'],
    }),
    window_key: repeating(
      'string',
      'The window: `all`, `fy<year>-q<n>` or `fy<year>`, a fiscal year being named by the calendar year in which it ends.',
    ),
    window_label: repeating('string', 'The window as a person reads it, for example `FY2026 Q2`.'),
    from_date: repeating('date?', 'The first day of the window; empty for all time.'),
    through_date: repeating(
      'date?',
      'The last day of the window; for all time the day of the snapshot, or the day its latest-dated entry begins if later; never empty.',
      { never_empty: true },
    ),
    window_complete: field(
      'boolean',
      'True when the window ended before the day of the snapshot; false for all time.',
    ),
    cash_value_cents: field(
      'cents',
      'Approved cash value that starts in the window, in US cents; value without a dollar figure is left out.',
    ),
    freed_capacity_cents: field(
      'cents',
      'Freed capacity in US cents: capacity less capacity realised, floored at zero per initiative and month; never to be added to cash value.',
    ),
    cost_cents: field(
      'cents',
      'Cost that starts in the window, in US cents; cost without a dollar figure is left out.',
    ),
    net_value_cents: field('cents', 'Cash value less cost, in US cents.'),
    roi: field('number?', 'Net value divided by cost; empty unless cash value and cost are both above zero.'),
    capex_cents: field('cents?', 'The one-time part of cost, in US cents; empty on initiative rows.'),
    opex_cents: field('cents?', 'The running part of cost, in US cents; empty on initiative rows.'),
    planned_value_to_date_cents: field(
      'cents?',
      'Planned cash value due in the window by the day of the snapshot, in US cents; empty on initiative rows; plans that the service filled in and no person confirmed are left out.',
    ),
    planned_capacity_to_date_cents: field(
      'cents?',
      'Planned freed capacity due in the window by the day of the snapshot, in US cents; empty on initiative rows; unconfirmed plans are left out.',
    ),
    planned_opex_to_date_cents: field(
      'cents?',
      'Planned running cost due in the window by the day of the snapshot, in US cents; empty on initiative rows; unconfirmed plans are left out.',
    ),
    planned_capex_cents: field(
      'cents?',
      'Planned one-time cost due in the window, in US cents; empty on initiative rows; unconfirmed plans are left out.',
    ),
    vendor_price_effect_cents: field(
      'cents?',
      "The part of AI-spend savings due to providers' price changes, in US cents; empty on initiative rows and when no entry in the window carries the split.",
    ),
  }),
});
