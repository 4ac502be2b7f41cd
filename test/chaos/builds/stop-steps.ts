/** The steps of a whole build at which its PostgreSQL can be stopped: each statement of them, and what lies between. */
import { TABLES } from '../../../src/tables/all.ts';
import type { Chance } from '../chance.ts';

/** Where a build is when it asks for something. */
export interface Asking {
  readonly text: string;
  /** How many connections it has opened: the second asks once more before the build publishes. */
  readonly connection: number;
  /** How many tables it has written. */
  readonly tables: number;
}

/**
 * When the server is stopped: `in` a statement that it has begun and not answered, `after` one that it has answered,
 * before the build `connects` for the n-th time, or before it `stores` the first object whose key ends like that.
 */
export type Stop =
  | { readonly when: 'after' | 'in'; readonly at: (asking: Asking) => boolean }
  | { readonly when: 'connects'; readonly connection: number }
  | { readonly when: 'stores'; readonly what: string };

export interface StopStep {
  readonly name: string;
  /** Drawn anew each time, where a step has many statements. */
  readonly stop: (chance: Chance) => Stop;
}

const LAST = TABLES.length;
/** Base tables with control totals, at least. */
const CONTROL_TOTALS = 20;

const inWords = (name: string, words: string, connection = 1): StopStep => ({
  name,
  stop: () => ({ when: 'in', at: (now) => now.connection === connection && now.text.includes(words) }),
});

/** The first statement that reads a table: its COPY, or what its figures begin with. */
const READS = /^copy \(|fiscal_year_start_month/;

const reading = ({ name }: { readonly name: string }, number: number): StopStep => ({
  name: `reading ${name}`,
  stop: () => ({ when: 'in', at: ({ text, tables }) => tables === number && READS.test(text) }),
});

const figuresOf = (name: string): StopStep => ({
  name: `the figures of ${name}`,
  stop: () => ({
    when: 'in',
    at: ({ text, tables }) => TABLES[tables]?.name === name && text.startsWith('fetch'),
  }),
});

const controlTotals: StopStep = {
  name: 'the control totals',
  stop: (chance) => {
    let left = chance.below(CONTROL_TOTALS);
    return { when: 'in', at: ({ tables }) => tables === LAST && left-- === 0 };
  },
};

/** In the order of a build. */
export const STOP_STEPS: readonly StopStep[] = [
  { name: 'connecting', stop: () => ({ when: 'connects', connection: 1 }) },
  inWords('before the moment', 'write_horizon'),
  inWords('the locks', 'lock table'),
  inWords('the moment', 'pg_export_snapshot'),
  inWords('whether it reports', 'reporting_accounts'),
  inWords('the types of all selects', ' limit 0'),
  ...TABLES.map(reading),
  figuresOf('budget_vs_actual'),
  figuresOf('reported_totals'),
  controlTotals,
  inWords('the closed months', 'close_pins_since'),
  inWords('the end of the moment', 'commit'),
  { name: 'the audit', stop: () => ({ when: 'after', at: ({ text }) => text === 'commit' }) },
  { name: 'storing', stop: () => ({ when: 'stores', what: '.parquet' }) },
  { name: 'connecting again', stop: () => ({ when: 'connects', connection: 2 }) },
  inWords('whether it still reports', 'reporting_accounts', 2),
  { name: 'publishing', stop: () => ({ when: 'stores', what: '/manifest.json' }) },
];
