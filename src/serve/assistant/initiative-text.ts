/** An initiative as text, for models that do not read the structured answer. */
import { money, moneyOr } from './amounts.ts';
import type { CostAnswer, InitiativeAnswer, ValueAnswer } from './initiative-shape.ts';
import { tellMoment } from './named-snapshot.ts';
import { DATA_NOTE, quoted, quotedText } from './user-text.ts';

const PERIODS = { monthly: 'a month', quarterly: 'a quarter', annually: 'a year' } as const;

/** Every part under its own heading; a part without data is omitted. */
export function tellInitiative(answer: InitiativeAnswer): string {
  const { recent_costs, recent_value_entries, notes } = answer;
  return [
    DATA_NOTE,
    ...tellMoment(answer),
    ...tellHead(answer),
    ...tellPlan(answer),
    ...tellBudget(answer.budget),
    ...section('Costs of the latest periods', recent_costs.entries.map(tellCost), recent_costs.has_more),
    ...section(
      'Value entries of the latest periods',
      recent_value_entries.entries.map(tellValue),
      recent_value_entries.has_more,
    ),
    ...(answer.notes_left_out === true
      ? ['Notes: left out, because a snapshot holds none.']
      : section(
          'Notes',
          notes.entries.map(
            ({ body, author_name, created_at }) =>
              `${created_at}${author_name === null ? '' : ` by ${quoted(author_name)}`}: ${quotedText(body)}`,
          ),
          notes.has_more,
        )),
    `Page: ${answer.app_url ?? 'none'}`,
  ].join('\n');
}

function tellHead(answer: InitiativeAnswer): string[] {
  const named = [
    ['Owner', answer.owner_name],
    ['Category', answer.category],
    ['Department', answer.department],
    ['Business unit', answer.business_unit],
  ] as const;
  const long = [
    ['Description', answer.description],
    ['Hypothesis', answer.hypothesis],
  ] as const;
  return [
    `Initiative ${answer.id}: ${quoted(answer.title)}, ${answer.status} (${answer.stage}), as of ${answer.as_of}.`,
    ...named.flatMap(([label, name]) => (name === null ? [] : [`${label}: ${quoted(name)}`])),
    ...long.flatMap(([label, words]) => (words === null ? [] : [`${label}: ${quotedText(words)}`])),
  ];
}

function tellPlan({ business_case: plan }: InitiativeAnswer): string[] {
  const none = 'not planned';
  return [
    `Business case (planned, no results; a period is ${PERIODS[plan.value_period]}):`,
    `- cash savings per period: ${moneyOr(plan.expected_cost_savings_cents, plan.currency, none)}`,
    `- revenue uplift per period: ${moneyOr(plan.expected_revenue_uplift_cents, plan.currency, none)}`,
    `- freed capacity per period (not cash): ${moneyOr(plan.expected_capacity_cents, plan.currency, none)}`,
    `- one-time cost: ${moneyOr(plan.expected_capex_cents, plan.currency, none)}`,
    `- running cost: ${moneyOr(plan.expected_opex_cents, plan.currency, none)}`,
    ...(plan.confirmed === false
      ? [
          '- The service filled in this plan and no person confirmed it: it is no promise, and in no planned total.',
        ]
      : []),
  ];
}

function tellBudget(budget: InitiativeAnswer['budget']): string[] {
  if (budget.status === 'no_budget') return ['Budget: there is no approved budget.'];
  if (budget.status === 'scheduled')
    return [
      `Budget from ${budget.started_on ?? 'an unknown day'}: scheduled, it had not begun on ${budget.as_of}.`,
    ];
  const { currency } = budget;
  return [
    `Budget from ${budget.started_on ?? 'an unknown day'} through ${budget.as_of}: ${budget.status}. ` +
      `Budget to date ${money(budget.budget_to_date_cents, currency)}, spent ${money(budget.actual_to_date_cents, currency)}, ` +
      `difference ${money(budget.variance_cents, currency)} (positive is under budget).` +
      (budget.ended_on === null ? '' : ` The budget ended on ${budget.ended_on}; spend after it counts.`),
  ];
}

function tellCost(cost: CostAnswer): string {
  return [
    `${cost.id}: ${moneyOr(cost.amount_cents, cost.currency, 'no amount')}, ${cost.cost_category}, ${periodOf(cost)}`,
    ...(cost.vendor_name === null ? [] : [quoted(cost.vendor_name)]),
    ...(cost.description === null ? [] : [quotedText(cost.description)]),
    cost.app_url ?? 'no page',
  ].join(', ');
}

function tellValue(value: ValueAnswer): string {
  const kind = value.counts_as.replace('_', ' ');
  return [
    `${value.id}: ${moneyOr(value.amount_cents, value.currency, 'no amount')} of ${kind}, ${value.status}, ${periodOf(value)}`,
    ...(value.notes === null ? [] : [quotedText(value.notes)]),
    value.app_url ?? 'no page',
  ].join(', ');
}

function periodOf({ period_start, period_end }: CostAnswer | ValueAnswer): string {
  if (period_start === null) return 'undated';
  return period_end === null ? `from ${period_start}` : `${period_start} to ${period_end}`;
}

function section(heading: string, lines: readonly string[], more: boolean): string[] {
  if (lines.length === 0) return [`${heading}: none.`];
  return [`${heading}${more ? ' (there are more)' : ''}:`, ...lines.map((line) => `- ${line}`)];
}
