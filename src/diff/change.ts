/** One row that changed between two snapshots, as stored and returned. */
import type { Reason } from './reasons.ts';

/** Columns by name, with values in the form of the API. */
export type Cells = Record<string, string | number | boolean | null>;

/** The change that an entry causes in one month of an initiative, in US cents. */
interface Effect {
  readonly initiative_id: number;
  /** The first day of the month; null for undated entries. */
  readonly month: string | null;
  readonly cash_value_cents: number;
  readonly freed_capacity_cents: number;
  readonly capex_cents: number;
  readonly opex_cents: number;
  readonly vendor_price_effect_cents: number;
}

/** One figure of a window that changed; the amounts of `because` add up to the change. */
interface Move {
  readonly figure: string;
  readonly before_cents: number;
  readonly after_cents: number;
  readonly because: { readonly reason: Reason; readonly cents: number; readonly entries: number }[];
}

export interface Change {
  readonly table: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly key: Cells;
  /** Only for costs and reported value. */
  readonly reason: Reason | null;
  /** Null for an added row. A changed row has only the columns that differ; a removed row has every column. */
  readonly before: Cells | null;
  /** Null for a removed row. A changed row has only the columns that differ; an added row has every column. */
  readonly after: Cells | null;
  /** Only for costs and reported value. */
  readonly effects: Effect[];
  /** Only for reported totals. */
  readonly moved: Move[];
}

const OPPOSITE = { added: 'removed', removed: 'added', changed: 'changed' } as const;

/** The same change from the later to the earlier snapshot: sides exchanged, amounts negated, reasons unchanged. */
export function mirrored(change: Change): Change {
  return {
    ...change,
    change: OPPOSITE[change.change],
    before: change.after,
    after: change.before,
    effects: change.effects.map((effect) => ({
      ...effect,
      cash_value_cents: negated(effect.cash_value_cents),
      freed_capacity_cents: negated(effect.freed_capacity_cents),
      capex_cents: negated(effect.capex_cents),
      opex_cents: negated(effect.opex_cents),
      vendor_price_effect_cents: negated(effect.vendor_price_effect_cents),
    })),
    moved: change.moved.map(({ figure, before_cents, after_cents, because }) => ({
      figure,
      before_cents: after_cents,
      after_cents: before_cents,
      because: because.map((part) => ({ ...part, cents: negated(part.cents) })),
    })),
  };
}

/** Zero stays zero, because `-0` is no amount. */
function negated(cents: number): number {
  return cents === 0 ? 0 : -cents;
}
