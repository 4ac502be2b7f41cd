/**
 * Computes the rows of `reported_totals`, one initiative at a time. Between initiatives it holds only the portfolio's sums
 * by month, so memory grows with the account's months, not with initiatives × windows.
 */
import { laterOf } from './calendar.ts';
import type { Day } from './calendar.ts';
import { monthlySums } from './monthly-sums.ts';
import type { MonthlySums } from './monthly-sums.ts';
import { addDue, duePlan, NOTHING_DUE } from './plan.ts';
import type { Plan, PlanDue } from './plan.ts';
import { reportedRoi } from './roi.ts';
import { addFigures, figuresOf, NO_FIGURES } from './rollup.ts';
import type { EntrySums, Figures } from './rollup.ts';
import { allTime, fiscalWindows } from './windows.ts';
import type { FiscalMoment, Window } from './windows.ts';

/**
 * A row of `reported_totals` without its `snapshot_id`, columns in published order. It is a `type`, because TypeScript
 * does not let an interface be indexed by column name.
 */
export type ReportedTotal = {
  readonly scope: 'portfolio' | 'initiative';
  readonly initiative_id: bigint | null;
  readonly window_kind: Window['window_kind'];
  readonly window_key: string;
  readonly window_label: string;
  readonly from_date: Day | null;
  readonly through_date: Day;
  readonly window_complete: boolean;
  readonly cash_value_cents: bigint;
  readonly freed_capacity_cents: bigint;
  readonly cost_cents: bigint;
  readonly net_value_cents: bigint;
  readonly roi: number | null;
  readonly capex_cents: bigint | null;
  readonly opex_cents: bigint | null;
  readonly planned_value_to_date_cents: bigint | null;
  readonly planned_capacity_to_date_cents: bigint | null;
  readonly planned_opex_to_date_cents: bigint | null;
  readonly planned_capex_cents: bigint | null;
  readonly vendor_price_effect_cents: bigint | null;
};

/** One initiative: its plan and all its groups (none if it has no entries). */
export interface InitiativeEntries {
  readonly initiative_id: bigint;
  readonly groups: readonly EntrySums[];
  readonly plan: Plan;
}

export interface TotalsFold {
  /** Adds one initiative to the portfolio and returns the initiative's own rows, ordered by key. */
  addInitiative(initiative: InitiativeEntries): ReportedTotal[];
  /** The rows of the portfolio of all initiatives added so far, ordered by key. */
  portfolioRows(): ReportedTotal[];
}

/**
 * Starts the totals of an account. If initiatives are added by ascending id, their rows, followed by the portfolio's, are
 * in the order of the table: scope, initiative, key.
 */
export function foldTotals(moment: FiscalMoment): TotalsFold {
  const portfolio = openScope();
  const planned = monthlySums(NOTHING_DUE, addDue);
  return {
    addInitiative({ initiative_id, groups, plan }) {
      const own = openScope();
      for (const group of groups) {
        const figures = figuresOf(group);
        putGroup(own, group, figures);
        putGroup(portfolio, group, figures);
      }
      for (const [month, due] of duePlan(plan, moment.as_of)) planned.put(month, due);
      return [...filledWindows(moment, own)].map(([window, figures]) =>
        initiativeRow(initiative_id, window, figures),
      );
    },
    portfolioRows() {
      return [...filledWindows(moment, portfolio)].map(([window, figures]) =>
        portfolioRow(window, figures, dueIn(planned, window)),
      );
    },
  };
}

/** The sums from which the windows of the portfolio, or of one initiative, are computed. */
interface Scope {
  readonly figures: MonthlySums<Figures>;
  latestDay: Day | null;
}

function openScope(): Scope {
  return { figures: monthlySums(NO_FIGURES, addFigures), latestDay: null };
}

function putGroup(scope: Scope, group: EntrySums, figures: Figures): void {
  scope.figures.put(group.month, figures);
  if (group.latest_day !== null) scope.latestDay = laterOf(group.latest_day, scope.latestDay);
}

function* filledWindows(
  moment: FiscalMoment,
  { figures, latestDay }: Scope,
): Generator<readonly [Window, Figures]> {
  yield [allTime(moment, latestDay), figures.total()];
  const extent = figures.extent();
  if (extent === null) return; // without a dated entry, all time is the only window
  for (const window of fiscalWindows(moment, extent.first, extent.last)) {
    yield [window, figures.between(window.from_date, window.through_date)];
  }
}

/**
 * The planned amounts due in a window. A plan creates no window: amounts due before the first window count only in all
 * time.
 */
function dueIn(planned: MonthlySums<PlanDue>, window: Window): PlanDue {
  return window.from_date === null ? planned.total() : planned.between(window.from_date, window.through_date);
}

function portfolioRow(window: Window, figures: Figures, due: PlanDue): ReportedTotal {
  return {
    scope: 'portfolio',
    initiative_id: null,
    ...window,
    ...headline(figures),
    capex_cents: figures.capex_cents,
    opex_cents: figures.opex_cents,
    ...due,
    vendor_price_effect_cents: figures.vendor_price_effect_cents,
  };
}

function initiativeRow(initiative_id: bigint, window: Window, figures: Figures): ReportedTotal {
  return {
    scope: 'initiative',
    initiative_id,
    ...window,
    ...headline(figures),
    capex_cents: null,
    opex_cents: null,
    planned_value_to_date_cents: null,
    planned_capacity_to_date_cents: null,
    planned_opex_to_date_cents: null,
    planned_capex_cents: null,
    vendor_price_effect_cents: null,
  };
}

type Headline = Pick<
  ReportedTotal,
  'cash_value_cents' | 'freed_capacity_cents' | 'cost_cents' | 'net_value_cents' | 'roi'
>;

/** The figures that rows of both scopes have. */
function headline(figures: Figures): Headline {
  return {
    cash_value_cents: figures.cash_value_cents,
    freed_capacity_cents: figures.freed_capacity_cents,
    cost_cents: figures.cost_cents,
    net_value_cents: figures.net_value_cents,
    roi: reportedRoi(figures.cash_value_cents, figures.cost_cents),
  };
}
