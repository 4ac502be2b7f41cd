/** What stands beside the figures of a snapshot's page: amounts without dollars, and cost at a provisional rate. */
import { leftOutBesides, type LeftOutOfScope, type Unsettled } from '../../figures/unsettled.ts';
import type { FiscalWindow } from '../../figures/windows.ts';
import type { RowLimit } from '../limits/row-limit.ts';
import type { SnapshotFiles } from './snapshot-files.ts';
import { frozenUnsettled } from './snapshot-roi.ts';

export interface UnsettledAmounts {
  /** Of all time. */
  readonly left_out: LeftOutOfScope;
  /** The part of these that has no period. */
  readonly undated: LeftOutOfScope;
  /** In US cents, by the keys of the windows that the page shows. */
  readonly provisional: ReadonlyMap<string, bigint>;
}

/** Every day that an entry may have. */
const DATED = { from: '0001-01-01', through: '9999-12-31' } as const;

/** Reads the amounts of an initiative, or of the portfolio for null. */
export async function readUnsettledAmounts(
  files: SnapshotFiles,
  year: FiscalWindow,
  initiative_id: bigint | null,
  rowLimit: RowLimit,
): Promise<UnsettledAmounts> {
  const limited = async <Result>(fold: () => Promise<Result>): Promise<Result> => {
    const [costs, value] = [await files.table('costs'), await files.table('reported_value')];
    return await rowLimit.run(files.account_id, costs.count + value.count, fold);
  };
  const within = (days: { readonly from: string; readonly through: string } | null): Promise<Unsettled> =>
    frozenUnsettled(files, { initiative_id, days }, limited);
  // A snapshot without stored sums is read from its rows: one window after the other.
  const all = await within(null);
  const of_year = await within({ from: year.from_date, through: year.through_date });
  const dated = await within(DATED);
  return {
    left_out: all,
    undated: leftOutBesides(all, dated),
    provisional: new Map([
      ['all', all.provisional_cost_cents],
      [year.window_key, of_year.provisional_cost_cents],
    ]),
  };
}
