/** Counts the entries of a conversion by currency and outcome. */

/** The possible states of an entry after a run, each with its meaning. */
export const OUTCOMES = {
  converted: 'at the rate of their period',
  provisional: 'costs at the latest rate, until their period is complete',
  waiting: 'value that waits for its period to be complete',
  locked_provisional: 'costs that stay provisional, because their month was locked first',
  locked_without_rate: 'without dollars, because their month was locked before they had a rate',
  no_period: 'value without a period, which is never converted',
  no_published_rates: 'in a currency of which no rate is stored: import published rates',
  before_first_rate: "of a period before the currency's first rate, never converted",
  too_large: 'more dollars than the ledger holds exactly, never converted',
} as const;

export type Outcome = keyof typeof OUTCOMES;

/** Rows of one currency with the same outcome. */
export interface CountedRows {
  readonly currency: string;
  readonly outcome: Outcome;
  readonly entries: number;
}

/** Entries, bills and charges in one currency. */
export interface ConvertedCurrency {
  readonly currency: string;
  /** Rows that the run changed. */
  readonly written: number;
  /** All rows by outcome; outcomes without rows are omitted. */
  readonly entries: Readonly<Partial<Record<Outcome, number>>>;
}

export interface ConversionTally {
  count(rows: readonly CountedRows[]): void;
  wrote(currency: string, rows: number): void;
  /** By currency, in alphabetical order. */
  currencies(): readonly ConvertedCurrency[];
}

/** An empty tally. */
export function openTally(): ConversionTally {
  const counted = new Map<string, { written: number; entries: Partial<Record<Outcome, number>> }>();
  const of = (currency: string) => {
    const found = counted.get(currency) ?? { written: 0, entries: {} };
    counted.set(currency, found);
    return found;
  };
  return {
    count: (rows) => {
      for (const { currency, outcome, entries } of rows) {
        const kept = of(currency).entries;
        kept[outcome] = (kept[outcome] ?? 0) + entries;
      }
    },
    wrote: (currency, rows) => {
      of(currency).written += rows;
    },
    currencies: () =>
      [...counted]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([currency, { written, entries }]) => ({ currency, written, entries })),
  };
}
