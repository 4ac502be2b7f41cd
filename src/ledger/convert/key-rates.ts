/** A cache of rates by currency and period, for one run. */
import type { ClientBase } from 'pg';
import { readStatement, type RowOf } from '../../database/columns.ts';
import { RATES_OF_KEYS } from './statements.ts';

export interface RateKey {
  readonly currency: string;
  readonly starts_on: string;
  readonly ends_on: string;
}

const COLUMNS = {
  currency: 'text',
  starts_on: 'date',
  ends_on: 'date',
  // False for a currency without any published rate.
  published: 'bool',
  usd_rate: 'text?',
  usd_rate_from: 'date?',
  usd_rate_through: 'date?',
  usd_rate_provisional: 'bool?',
  // True if other currencies have a published rate on or after the end of the period.
  passed: 'bool',
} as const;

type KeyRate = RowOf<typeof COLUMNS>;

/** Rates as parameters of the conversion's statements: one array per column. */
export type RateColumns = readonly (readonly unknown[])[];

export interface KeyRates {
  /** The rates of these keys; reads those that are not cached yet. */
  of(keys: readonly RateKey[]): Promise<RateColumns>;
}

/** Opens the cache; only rates published through `today` count. */
export function openKeyRates(client: ClientBase, today: string): KeyRates {
  const known = new Map<string, KeyRate>();
  return {
    of: async (keys) => {
      const unknown = keys.filter((key) => !known.has(name(key)));
      if (unknown.length > 0) {
        const values = [
          unknown.map(({ currency }) => currency),
          unknown.map(({ starts_on }) => starts_on),
          unknown.map(({ ends_on }) => ends_on),
          today,
        ];
        const rates = { name: 'rates', text: RATES_OF_KEYS, values, columns: COLUMNS };
        for (const rate of await readStatement(client, rates)) known.set(name(rate), rate);
      }
      const rates = keys.flatMap((key) => known.get(name(key)) ?? []);
      return ORDER.map((column) => rates.map((rate) => rate[column]));
    },
  };
}

function name({ currency, starts_on, ends_on }: RateKey): string {
  return `${currency} ${starts_on} ${ends_on}`;
}

const ORDER = [
  'currency',
  'starts_on',
  'ends_on',
  'usd_rate',
  'usd_rate_from',
  'usd_rate_through',
  'usd_rate_provisional',
  'published',
  'passed',
] as const satisfies readonly (keyof KeyRate)[];
