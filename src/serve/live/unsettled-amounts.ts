/** What stands beside the figures of a snapshot's page: amounts without dollars, and cost at a provisional rate. */
import { leftOutBesides, type LeftOutOfScope, type Unsettled } from '../../figures/unsettled.ts';
import type { FiscalWindow } from '../../figures/windows.ts';
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
): Promise<UnsettledAmounts> {
  const within = (days: { readonly from: string; readonly through: string } | null): Promise<Unsettled> =>
    frozenUnsettled(files, { initiative_id, days });
  const [all, of_year, dated] = await Promise.all([
    within(null),
    within({ from: year.from_date, through: year.through_date }),
    within(DATED),
  ]);
  return {
    left_out: all,
    undated: leftOutBesides(all, dated),
    provisional: new Map([
      ['all', all.provisional_cost_cents],
      [year.window_key, of_year.provisional_cost_cents],
    ]),
  };
}
