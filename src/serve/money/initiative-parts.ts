/** Parts of an initiative's page: its budgets with what was spent, its decisions by number, its documents and its months. */
import { html } from 'hono/html';
import { type Day, utcDay } from '../../figures/calendar.ts';
import { shownCount } from '../../format.ts';
import type { MonthSeries } from '../../figures/month-series.ts';
import { shownDay, shownDollars, shownMonth, shownAmount } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import { notSpentWords, overWords, restWords } from './budget-words.ts';
import { budgetChart, hasBudgetChart } from './budget-chart.ts';
import { arrivedInPlan } from './chart-note.ts';
import type { InitiativeMoney } from './initiative.ts';
import type { InitiativeOverview } from './overview.ts';
import type { RowLinks } from './row-links.ts';

/** The bases of value in words. */
export const BASES: Readonly<Record<string, string>> = {
  measured: 'Measured: baseline measured before go-live',
  reconstructed: 'Rebuilt: a sample of work done without the AI',
  estimated: 'Estimated: the baseline is an estimate',
  none: 'No baseline: as entered or from a source',
};

/** The address of an initiative's rows of a table. */
type OwnRows = (table: string) => string;

/** The newest comparison in a sentence, and every version. */
export function budgetSection(
  { budgets, comparisons, budget_ended_on, not_spent }: InitiativeMoney,
  { moment: { as_of }, unsettled, snapshot }: Pick<InitiativeOverview, 'moment' | 'unsettled' | 'snapshot'>,
  ownRows: OwnRows,
): Html {
  const without = notSpentWords(
    not_spent ?? unsettled.left_out.cost_left_out,
    comparisons.at(-1)?.currency ?? '',
    snapshot.left_out?.reasons,
  );
  const last = comparisons.at(-1);
  const current = last?.as_of === as_of ? last.budget_id : null;
  return html`<section>
    <div class="head">
      <h2 id="budget">Budget against actual</h2>
      ${
        hasBudgetChart(comparisons)
          ? html`<p class="legend">
              <span class="key plan">Budget to date</span> <span class="key cost">Spent to date</span>
            </p>`
          : ''
      }
    </div>
    ${last === undefined ? html`<p class="quiet">No approved budget has been in effect.</p>` : comparison(last, { budgets, budget_ended_on }, without, ownRows)}
    ${budgetChart(comparisons)}
    ${
      budgets.length === 0
        ? ''
        : html`<table class="versions months">
            <thead>
              <tr>
                <th scope="col">Version</th>
                <th scope="col">State</th>
                <th scope="col" class="r">One-time</th>
                <th scope="col" class="r">Running</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              ${budgets.map((row) => {
                const state =
                  row.budget_id !== current
                    ? row.status
                    : budget_ended_on === null
                      ? 'in effect'
                      : html`ended ${shownDay(budget_ended_on)}`;
                return html`<tr>
                  <th scope="row">${String(row.budget_id)}</th>
                  <td data-column="State"><span class="mark">${state}</span></td>
                  <td class="r" data-column="One-time">${shownAmount(row.capex_cents, row.currency)}</td>
                  <td class="r" data-column="Running">
                    ${shownAmount(row.opex_cents, row.currency)} ${row.opex_cadence}
                  </td>
                  <td data-column="From">${shownDay(row.effective_from)}</td>
                </tr>`;
              })}
            </tbody>
          </table>`
    }
  </section>`;
}

function comparison(
  row: InitiativeMoney['comparisons'][number],
  { budgets, budget_ended_on: ended_on }: Pick<InitiativeMoney, 'budgets' | 'budget_ended_on'>,
  without: string,
  ownRows: OwnRows,
): Html {
  const { currency, variance_cents: variance } = row;
  const words = variance === 0n ? 'exactly on budget' : restWords(variance, currency);
  const over = overWords(row);
  const before = row.spent_before_budget_cents;
  const [begins] = budgets
    .flatMap(({ status, effective_from }) => (status === 'approved' ? effective_from : []))
    .toSorted();
  return html`<p>
    <b>${shownAmount(row.actual_to_date_cents, currency)}</b> of
    ${shownAmount(row.budget_to_date_cents, currency)} budgeted to ${shownDay(row.as_of)} is spent:
    <b>${words}</b>. ${over === '' ? '' : html`<strong class="bad">Over:</strong> ${over}.`}
    ${
      before === 0n || begins === undefined
        ? ''
        : html`${shownAmount(before, currency)} more was spent before the budget began on
          ${shownDay(`${begins.slice(0, 7)}-01`)}.`
    }
    ${without === '' ? '' : `Spent without ${without}.`}
    ${ended_on === null ? '' : html`The budget ended on ${shownDay(ended_on)}; what was spent later counts.`}
    <a href="${ownRows('budget_vs_actual')}">Every day compared</a>
  </p>`;
}

interface Decision {
  readonly day: Day;
  readonly name: string;
  readonly by: string | null;
  readonly reason: Html | string | null;
}

/** What happened to it in time, oldest first: all decisions but those about single value entries, and its start. */
function decisionsOf({ approvals, decisions, budgets, went_live_on }: InitiativeMoney): readonly Decision[] {
  const started =
    went_live_on === null ? [] : [{ name: 'Went live', by: null, reason: null, day: went_live_on }];
  const asked = budgets.filter(({ status }) => status === 'pending');
  return [
    ...started,
    ...asked.map((row) => ({
      name: `Budget ${row.budget_id} asked for`,
      by: null,
      reason: `${budgetWords(row)}; not decided`,
      day: utcDay(row.created_at),
    })),
    // A decision about a budget that has no row of its own stands in the version.
    ...budgets.flatMap((row) =>
      row.decided_at === null || row.approval_decision_id !== null
        ? []
        : {
            name: `Budget ${row.budget_id} ${row.status}`,
            by: row.decided_by_name,
            reason: row.decision_reason ?? budgetWords(row),
            day: utcDay(row.decided_at),
          },
    ),
    ...approvals.map((row) => ({
      day: utcDay(row.decided_at),
      name: `${subjectOf(row)} ${row.decision.replaceAll('_', ' ')}${row.step === null ? '' : `, step ${row.step} of ${row.total_steps}`}`,
      by: row.decided_by_name,
      reason: row.reason,
    })),
    ...decisions.map((row) => ({
      day: utcDay(row.decided_at),
      name: `Decision: ${row.outcome}`,
      by: row.decided_by_name,
      reason: html`${row.rationale}${row.next_review_on === null ? '' : html` Next review: ${shownDay(row.next_review_on)}.`}`,
    })),
  ].toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

/** What was decided about: a version of a budget by its number. */
function subjectOf({ subject_kind: kind, subject_id }: InitiativeMoney['approvals'][number]): string {
  if (kind === 'budget') return `Budget ${subject_id}`;
  const words = kind.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function budgetWords(row: InitiativeMoney['budgets'][number]): string {
  const { capex_cents, opex_cents, opex_cadence, currency } = row;
  return `${shownAmount(capex_cents, currency)} once, ${shownAmount(opex_cents, currency)} ${opex_cadence}`;
}

/** The days of the decisions, in the order of their numbers. */
export function decisionDays(money: InitiativeMoney): readonly Day[] {
  return decisionsOf(money).map((decision) => decision.day);
}

export function decisionSection(money: InitiativeMoney, as_of: Day, ownRows: OwnRows): Html {
  const decisions = decisionsOf(money);
  const { entry_approvals: entries } = money;
  return html`<section>
    <div class="head">
      <h2 id="decisions">Decisions</h2>
      <p>
        numbers as on the
        chart${
          entries === 0
            ? ''
            : html`;
                <a href="${ownRows('approval_decisions')}"
                  >${shownCount(entries)} ${entries === 1 ? 'decision' : 'decisions'} about value entries</a
                >
                stand by themselves`
        }
      </p>
    </div>
    ${
      decisions.length === 0
        ? html`<p class="quiet">None is recorded.</p>`
        : html`<ol class="decisions">
            ${decisions.map(
              ({ day: on, name, by, reason }) =>
                html`<li>
                  <b>${name}</b> ${shownDay(on)}
                  <span>${by ?? ''}${by !== null && reason !== null ? ': ' : ''}${reason ?? ''}</span>
                </li>`,
            )}
          </ol>`
    }
    ${missedReview(money, as_of)}
  </section>`;
}

/** A review that was named and has passed without a later decision. */
function missedReview({ decisions }: InitiativeMoney, as_of: Day): Html | '' {
  const last = decisions.reduce<(typeof decisions)[number] | undefined>(
    (newest, row) =>
      newest === undefined || utcDay(row.decided_at) >= utcDay(newest.decided_at) ? row : newest,
    undefined,
  );
  const review = last?.next_review_on ?? null;
  if (last === undefined || review === null || review >= as_of) return '';
  return html`<p class="note">
    The decision of ${shownDay(utcDay(last.decided_at))}, ${last.outcome}, named ${shownDay(review)} as its
    next review. No later decision is recorded.
  </p>`;
}

/** The documents that its value entries cite. */
export function documentLine({ documents }: InitiativeMoney, address: string): Html {
  if (documents.length === 0) return html`<p class="quiet">Its value cites no document.</p>`;
  return html`<p class="quiet">
    Documents cited:
    ${documents.map(({ title, kind, restricted }, index) => html`${index === 0 ? '' : ', '}${title ?? kind}${restricted ? ' (restricted)' : ''}`)}.
    <a href="${address}">By entry</a>
  </p>`;
}

/** The months of its chart as a table, each amount with a link to its rows. */
export function monthTable(money: InitiativeMoney, links: RowLinks, months: MonthSeries['months']): Html {
  const { plan, row } = money;
  const id = row.initiative_id;
  const planned = (month: Day): string => {
    const due = plan?.months.findLast((each) => each.month <= month);
    return due === undefined ? '–' : shownAmount(due.value_cents, row.currency);
  };
  const own = arrivedInPlan(money);
  const came =
    own === null
      ? null
      : (month: Day): string =>
          shownAmount(own.months.findLast((each) => each.month <= month)?.cash_cents ?? 0n, own.currency);
  return html`<details>
    <summary>The table behind this chart</summary>
    <table class="months">
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col" class="r">Cost</th>
          <th scope="col" class="r">Cash value</th>
          <th scope="col" class="r">Cash value so far</th>
          ${came === null ? '' : html`<th scope="col" class="r">Cash value so far in ${row.currency}</th>`}
          <th scope="col" class="r">Planned so far</th>
          <th scope="col" class="r">Net so far</th>
        </tr>
      </thead>
      <tbody>
        ${months.map(
          (each) =>
            html`<tr data-point>
              <th scope="row">${shownMonth(each.month)}</th>
              <td class="r" data-column="Cost">
                <a href="${links.costs({ initiative_id: id, month: each.month })}"
                  >${shownDollars(each.cost_cents)}</a
                >
              </td>
              <td class="r" data-column="Cash value">
                <a href="${links.cash({ initiative_id: id, month: each.month })}"
                  >${shownDollars(each.cash_value_cents)}</a
                >
              </td>
              <td class="r" data-column="Cash value so far">${shownDollars(each.cumulative_cash_cents)}</td>
              ${came === null ? '' : html`<td class="r" data-column="Cash value so far in ${row.currency}">${came(each.month)}</td>`}
              <td class="r" data-column="Planned so far">${planned(each.month)}</td>
              <td class="r" data-column="Net so far">${shownDollars(each.cumulative_net_cents)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
