/**
 * The action of `crossfoot load --focus`: loads bills in the format of FOCUS. It prints, for each month and currency, what was
 * billed, what was booked to initiatives, and what was not.
 */
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { shownCount } from '../../format.ts';
import { type LoadedFocus, loadFocus } from '../../ledger/focus/load-focus.ts';
import { tieLines } from '../../ledger/focus/tie.ts';
import type { LoadFault } from '../../ledger/staging/faults.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases, requireOwner } from '../../run/databases.ts';
import { convertLoaded } from '../../run/loaded-amounts.ts';
import { openStoreToRead } from '../../run/object-store.ts';
import { unlessStopped } from '../../run/stopping.ts';
import { readLog } from '../../snapshot/read/read-log.ts';
import { leftOutCounts } from '../terminal/left-out-report.ts';
import { printJson } from '../terminal/print-json.ts';
import { faultLine, type LoadOptions, tableCells } from './load.ts';

export interface FocusOptions extends Pick<
  LoadOptions,
  'account' | 'source' | 'dryRun' | 'expect' | 'encoding' | 'ignore' | 'json'
> {
  readonly focus?: true;
  readonly map?: string;
  readonly parts?: true;
}

/** Loads the bills into the ledger of the settings, or prints every fault of the files. */
export async function loadFocusPaths(
  paths: readonly string[],
  { account, map, source, dryRun, parts, encoding, ignore, expect, json }: FocusOptions,
  context: CommandContext,
): Promise<void> {
  if (account === undefined) {
    throw new CrossfootError('usage_invalid', '--focus needs the account of the bills.', {
      hint: 'Name it, such as --account 1.',
    });
  }
  const { settings } = openSettings(context);
  await using databases = await openDatabases(settings, context.signal);
  const isOwnSnapshot = async (snapshot_id: string): Promise<boolean> => {
    const { entries } = await readLog(await openStoreToRead(settings), account);
    return entries.some((entry) => entry.snapshot_id === snapshot_id);
  };
  try {
    const request = {
      url: requireOwner(databases),
      paths,
      account,
      dryRun: dryRun === true,
      parts: parts === true,
      isOwnSnapshot,
      onNote: (note: string) => context.say(note),
      ...(encoding !== undefined && { encoding }),
      ...(ignore !== undefined && { ignore }),
      ...(expect !== undefined && { expect }),
    };
    const focus = await unlessStopped(
      context.signal,
      loadFocus({ ...request, ...(map !== undefined && { map }), ...(source !== undefined && { source }) }),
    );
    const print = json ? context.say : context.print;
    for (const line of tieLines(focus)) print(line);
    for (const table of focus.loaded) print(tableCells(table).join(' '));
    if (json)
      printJson(context.print, { dry_run: dryRun === true, tables: focus.loaded, files: focus.files });
    if (dryRun) context.say(dryRunLine(focus, account));
    else {
      const { lines, left_out } = await convertLoaded(databases, [account], context.signal);
      for (const line of [...lines, ...leftOutCounts(left_out, 'after the next build ')]) print(line);
    }
  } catch (error) {
    if (isCrossfootError(error, 'load_rejected'))
      for (const fault of error.data['faults'] as LoadFault[]) context.say(faultLine(fault)); // Its only data.
    throw error;
  }
}

function dryRunLine({ ownSnapshot, sums }: LoadedFocus, account: bigint): string {
  const charges = [...sums.bills.values()].flatMap(({ parts }) => [...parts.values()]);
  const count = charges.reduce((sum, part) => sum + part.charges, 0);
  const words = `${shownCount(count)} ${count === 1 ? 'charge' : 'charges'}`;
  if (ownSnapshot === null) return `Dry run of ${words}: nothing was changed.`;
  return `Dry run: the files are an export of account ${account} itself, its snapshot ${ownSnapshot}. load refuses them.`;
}
