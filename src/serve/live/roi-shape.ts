/** The answer of `/roi`: every field with its meaning, and the conversion of figures to it. */
import { z } from '@hono/zod-openapi';
import { ANSWERED_WINDOW_PATTERN, type RequestedWindow } from '../../figures/requested-window.ts';
import type { LeftOut, ValueLeftOut } from '../../figures/unsettled.ts';
import type { SeenInitiative } from '../../ledger/lists/require-initiative.ts';
import type { RoiFigures } from './roi-figures.ts';
import {
  arrayOf,
  asOfShape,
  component,
  day,
  integer,
  matching,
  number,
  oneOfThese,
  text,
} from '../contract/shapes.ts';
import { costLeftOut, valueLeftOut } from '../contract/left-out-shapes.ts';
import { exactNumber } from '../contract/shown.ts';

/** The time that figures cover. */
export const period = z
  .strictObject({
    window: matching(
      ANSWERED_WINDOW_PATTERN,
      'The window, as requested; `custom` if the request had `from` or `through`.',
    ),
    label: text('The window as a person reads it.'),
    from: day('The first day covered; absent for all time, and for `through` without `from`.').optional(),
    through: day(
      'The last day covered. A fiscal window ends on its own last day, and `through` on the last day of its month. `1yr`, `3yr` and `5yr` end today (UTC). `all` ends today, or on the first day of the latest-dated entry if that is later. `from` without `through` ends with the month of that day, and not before the month of `from`.',
    ),
  })
  .meta({ description: 'The time that the figures cover.' });

/** The figures of a scope and a window. */
export const roiFigures = component(
  'RoiFigures',
  'Value, cost and return of the portfolio or of one initiative.',
  {
    scope: z
      .strictObject({
        type: oneOfThese(
          ['portfolio', 'initiative'],
          'Whether the figures are of all initiatives or of one.',
        ),
        id: integer('The initiative; only when the scope is one.').optional(),
        title: text('Its title; only when the scope is an initiative.').optional(),
      })
      .meta({ description: 'The portfolio or the initiative that the figures belong to.' }),
    period,
    currency: text('The ISO 4217 currency of every amount: US dollars.'),
    cash_value_cents: integer('Approved cash value.'),
    freed_capacity_cents: integer(
      'Approved freed capacity. It is not cash, and counts in neither net value nor ROI. It excludes `realized_capacity_cents`.',
    ),
    realized_capacity_cents: integer(
      'The part of freed capacity shown to have become cash. It is part of `cash_value_cents` and not of `freed_capacity_cents`.',
    ),
    total_cost_cents: integer('All cost in scope.'),
    net_value_cents: integer('Cash value minus total cost.'),
    roi: number(
      '`net_value_cents` divided by `total_cost_cents`; null when the cost is zero or less.',
    ).nullable(),
    value_left_out: arrayOf(valueLeftOut, 'Approved value in scope with no dollar figure, by currency.'),
    cost_left_out: arrayOf(costLeftOut, 'Cost in scope with no dollar figure, by currency.'),
    provisional_cost_cents: integer(
      "The part of total cost in other currencies whose period's rates are not complete yet. It is converted at the latest published rate now, and at the period's average later.",
    ),
    cost: z
      .strictObject({
        capex_cents: integer('The one-time part of total cost.'),
        opex_cents: integer('The running part of total cost.'),
      })
      .meta({ description: 'Total cost in its two parts.' }),
    ...asOfShape,
  },
);

/** The JSON of the answer: of one initiative, or of the portfolio if `initiative` is null. */
export function showRoi(
  { window, figures, roi, ...beside }: RoiFigures,
  initiative: SeenInitiative | null,
): z.output<typeof roiFigures> {
  return {
    scope:
      initiative === null
        ? { type: 'portfolio' }
        : { type: 'initiative', id: exactNumber(initiative.id), title: initiative.title },
    period: shownPeriod(window),
    currency: 'USD',
    cash_value_cents: exactNumber(figures.cash_value_cents),
    freed_capacity_cents: exactNumber(figures.freed_capacity_cents),
    realized_capacity_cents: exactNumber(figures.realized_capacity_cents),
    total_cost_cents: exactNumber(figures.cost_cents),
    net_value_cents: exactNumber(figures.net_value_cents),
    roi,
    value_left_out: beside.value_left_out.map(showValueLeftOut),
    cost_left_out: beside.cost_left_out.map(showLeftOut),
    provisional_cost_cents: exactNumber(beside.provisional_cost_cents),
    cost: { capex_cents: exactNumber(figures.capex_cents), opex_cents: exactNumber(figures.opex_cents) },
  };
}

/** A window in its JSON form. */
export function shownPeriod({ key, label, from, through }: RequestedWindow): z.output<typeof period> {
  return { window: key, label, ...(from === null ? {} : { from }), through };
}

function showValueLeftOut(left: ValueLeftOut): z.output<typeof valueLeftOut> {
  return {
    ...showLeftOut(left),
    capacity_amount_cents: exactNumber(left.capacity_amount_cents),
    capacity_entries: exactNumber(left.capacity_entries),
  };
}

function showLeftOut({ currency, amount_cents, entries }: LeftOut): z.output<typeof costLeftOut> {
  return { currency, amount_cents: exactNumber(amount_cents), entries: exactNumber(entries) };
}
