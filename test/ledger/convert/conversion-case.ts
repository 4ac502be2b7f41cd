/** The shape of a case worked by hand: an entry, and what it must come to after each step. */
import type { Outcome } from '../../../src/ledger/convert/tally.ts';
import type { Row } from '../../support/ledger-rows.ts';

interface ConversionStep {
  readonly today: string;
  readonly publish?: readonly string[];
  /** A day whose rates are taken back. */
  readonly withdraw?: string;
  /** A month to close before converting, by its first day. */
  readonly lock?: string;
  readonly reopen?: string;
  /** Columns that are changed before converting. */
  readonly change?: Row;
  /** As `standing` states it. */
  readonly is: string;
  /** `converted` if left out. */
  readonly outcome?: Outcome | 'none';
}

export interface ConversionCase {
  readonly name: string;
  /** A cost if left out. */
  readonly table?: 'cost_entries' | 'value_entries' | 'provider_bills' | 'vendor_bills' | 'card_charges';
  /** What the entry has beside 100.00 euros and March 2026. */
  readonly row: Row;
  readonly steps: readonly ConversionStep[];
}
