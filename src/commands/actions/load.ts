/** The action of `crossfoot load`: loads files and prints the result for every table. */
import { open, rm, writeFile } from 'node:fs/promises';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { type LoadFault, SHOWN_FAULTS } from '../../ledger/staging/faults.ts';
import type { DecimalSign, Encoding, Expected, LoadMode } from '../../ledger/staging/mode.ts';
import type { LoadProgress } from '../../ledger/load/files.ts';
import type { LoadedTable } from '../../ledger/load/write.ts';
import { load } from '../../ledger/load/load.ts';
import type { ReadFile } from '../../ledger/sources/reading.ts';
import { type TiedFile, tiedLine } from '../../ledger/load/tie-out.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { requireOwner, openDatabases } from '../../run/databases.ts';
import { convertLoaded } from '../../run/loaded-amounts.ts';
import { aligned } from '../terminal/aligned.ts';
import { shownCount, shownCountOf, shownDuration, shownRate } from '../../format.ts';
import { CLOCK } from '../../run/machine.ts';
import { printJson } from '../terminal/print-json.ts';
import { leftOutCounts } from '../terminal/left-out-report.ts';
import { unlessStopped } from '../../run/stopping.ts';

export interface LoadOptions {
  readonly mode: LoadMode;
  readonly deleteMissing?: true;
  readonly complete?: true;
  readonly allowRemoval?: true;
  readonly source?: string;
  readonly table?: string;
  readonly columns?: string;
  readonly decimal?: DecimalSign;
  readonly encoding?: Encoding;
  readonly ignore?: readonly string[];
  readonly dryRun?: true;
  readonly rejects?: string;
  readonly expect?: Expected;
  readonly account?: bigint;
  readonly json?: true;
}

/** Loads the files into the ledger of the settings, or prints every fault of the files. */
export async function loadPaths(
  paths: readonly string[],
  options: LoadOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  const { rejects } = options;
  if (rejects !== undefined) await refuseUnwritable(rejects);
  context.follow?.('opening the database');
  await using databases = await openDatabases(settings, context.signal);
  try {
    const began = CLOCK.now();
    const onProgress = loadProgress(context, options.dryRun === true);
    let accounts: readonly bigint[] = [];
    let tied: readonly TiedFile[] = [];
    const read: ReadFile[] = [];
    // With --json, standard output is one object, and the lines for people are remarks.
    const print = options.json ? context.say : context.print;
    const request = {
      ...options,
      onEntries: (of: readonly bigint[]) => void (accounts = of),
      onFile: (file: ReadFile) => void read.push(file),
      onTied: (files: readonly TiedFile[]) => void (tied = files),
      url: requireOwner(databases),
      paths,
      onProgress,
      onNote: (note: string) => context.say(note),
      ...(rejects !== undefined && {
        onRejects: (lines: AsyncGenerator<string>) => writeFile(rejects, lines, { flag: 'wx' }),
      }),
    };
    const loaded = await unlessStopped(context.signal, load(request));
    if (context.follow === undefined) for (const table of loaded) print(tableCells(table).join(' '));
    else {
      context.follow(null);
      for (const line of aligned(loaded.map(tableCells))) print(line);
      context.say(sumLine(loaded, Number(CLOCK.now() - began) / 1_000));
    }
    for (const file of tied) if (file.sums !== null) print(tiedLine(file, options));
    if (options.json) printJson(context.print, outcomeOf(options, loaded, read, tied));
    if (options.dryRun) context.say('Dry run: nothing was changed.');
    else if (accounts.length > 0) {
      // Of the loaded accounts alone: what another account has is not for this load to read or print.
      const { lines, left_out } = await convertLoaded(databases, accounts, context.signal);
      for (const line of lines) print(line);
      for (const line of leftOutCounts(left_out, 'after the next build ')) print(line);
    }
  } catch (error) {
    if (isCrossfootError(error, 'load_rejected')) {
      const faults = error.data['faults'] as LoadFault[]; // Its only data.
      for (const fault of faults.slice(0, SHOWN_FAULTS)) context.say(faultLine(fault));
      const more = faults.length - SHOWN_FAULTS;
      if (rejects !== undefined)
        context.say(`${more > 0 ? `and ${shownCount(more)} more: ` : ''}all in ${rejects}`);
    }
    throw error;
  }
}

/** The outcome for programs. The sums of a file are in cents; null if it has no amounts. */
function outcomeOf(
  { dryRun = false }: { readonly dryRun?: boolean },
  tables: readonly LoadedTable[],
  read: readonly ReadFile[],
  tied: readonly TiedFile[],
): unknown {
  const sums = new Map(tied.map((file) => [file.file, file.sums]));
  const files = read.map((file) => {
    const own = sums.get(file.file) ?? null;
    return { ...file, sums: own === null ? null : Object.fromEntries(own) };
  });
  return { dry_run: dryRun, tables, files };
}

/** Throws if the file for rejects exists or cannot be created. Runs before the load: later, the faults would be lost. */
async function refuseUnwritable(file: string): Promise<void> {
  try {
    await (await open(file, 'wx')).close();
    await rm(file);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const isThere = code === 'EEXIST';
    const why = isThere ? 'is there already' : `cannot be created (${code})`;
    throw new CrossfootError('usage_invalid', `--rejects ${file} ${why}; nothing was loaded.`, {
      hint: isThere ? 'Name a file that does not exist.' : 'Name a file in a folder that you may write to.',
      cause,
    });
  }
}

/** A fault as one line for people: where it is, the value, and what was expected. */
export function faultLine({ file, line, column, value, expected, isUnread }: LoadFault): string {
  const location = [file, line === null ? null : `line ${line}`, column]
    .filter((part) => part !== null)
    .join(', ');
  const found = isUnread ? '' : `${value === null ? 'empty' : JSON.stringify(value)}, `;
  return `${location}: ${found}expected ${expected}`;
}

/** How many rows of a table were inserted, updated, left unchanged and deleted, as the cells of a line. */
export function tableCells(table: LoadedTable): readonly string[] {
  const { inserted, updated, unchanged, deleted, missing, missingKeys, approvals } = table;
  const more = missing > missingKeys.length ? ', …' : '';
  const kept =
    missing === 0 ? '' : `; not in the file and kept: ${missing} (${missingKeys.join(', ')}${more})`;
  return [
    `${table.table}:`,
    `${inserted} inserted,`,
    `${updated} updated,`,
    `${unchanged} unchanged,`,
    `${deleted} deleted${kept}${approvals === 0 ? '' : `; approvals recorded: ${approvals}`}`,
  ];
}

/** All tables in one line, for a person: how many rows the files held, and how fast they were loaded. */
function sumLine(tables: readonly LoadedTable[], ms: number): string {
  const rows = tables.reduce(
    (sum, { inserted, updated, unchanged }) => sum + inserted + updated + unchanged,
    0,
  );
  return `${shownCountOf(tables.length, 'table')}, ${shownCountOf(rows, 'row')} in ${shownDuration(ms)}, ${shownRate(rows, ms)}`;
}

/** Says each step of a table, or shows on a terminal what runs now. */
function loadProgress({ say, follow }: CommandContext, dryRun: boolean): (progress: LoadProgress) => void {
  if (follow === undefined) {
    return ({ step, table, rows }) => {
      if (step === 'reading') return;
      say(
        `${dryRun && step === 'written' ? 'tried' : step} ${table}: ${rows} ${rows === 1 ? 'row' : 'rows'}`,
      );
    };
  }
  let written = 0;
  return ({ step, table, rows }) => {
    if (step === 'reading') follow(`reading ${table}`, { rows });
    else if (step === 'read') follow(`checking ${table}`);
    else if (step === 'checked') follow('checking');
    else follow('writing', { rows: (written += rows) });
  };
}
