/** The shapes of amounts that no total includes, because they have no dollar figure. */
import { BILL_TABLES } from '../../figures/left-out.ts';
import { component, integer, oneOfThese, text } from './shapes.ts';

const leftOut = {
  currency: text('The ISO 4217 currency of the amounts.'),
  amount_cents: integer('The amount without a dollar figure, in cents of `currency`.'),
  entries: integer('The number of entries without a dollar figure in `currency`.'),
};

/** Approved value of one currency that no total includes. */
export const valueLeftOut = component(
  'ValueLeftOut',
  'Approved value of one currency that has no dollar figure.',
  {
    ...leftOut,
    amount_cents: integer('The cash value without a dollar figure, in cents of `currency`.'),
    entries: integer('The number of entries of cash value without a dollar figure in `currency`.'),
    capacity_amount_cents: integer(
      'The capacity without a dollar figure, in cents of `currency`; a separate field, because cash value and capacity are never added.',
    ),
    capacity_entries: integer('The number of entries of capacity without a dollar figure in `currency`.'),
  },
);

/** Cost of one currency that no total includes. */
export const costLeftOut = component(
  'CostLeftOut',
  'Cost of one currency that has no dollar figure.',
  leftOut,
);

/** The fields of bills of one table and currency that no dollar total of AI spend includes. */
export const billsLeftOut = {
  table: oneOfThese(BILL_TABLES, 'The table of the bills.'),
  currency: text('The ISO 4217 currency of the bills.'),
  amount_cents: integer('Their amount, in cents of `currency`.'),
  entries: integer('How many they are.'),
};
