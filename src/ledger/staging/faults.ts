/** Collects the faults of a load's files, up to a limit, and refuses the load with all of them. */
import { CrossfootError } from '../../errors.ts';
import type { CsvBroken } from './row.ts';

// Enough to correct a file. Without a limit, a column of the wrong type would fill the terminal.
export const SHOWN_FAULTS = 100;
/** The limit of faults if the refused rows are written to a file. */
export const REJECTED_FAULTS = 1_000_000;
const MAX_SHOWN_CHARACTERS = 200;

/** One reason for refusing a load, and its position in the files. */
export interface LoadFault {
  readonly file: string;
  /** The line on which the row begins (the header is 1); null for a fault of the whole file or of a row not in it. */
  readonly line: number | null;
  /** The column, or columns separated by ", ". */
  readonly column: string | null;
  /** The text of the cell, cut at 200 characters; null for an empty one. */
  readonly value: string | null;
  /** What was expected instead. */
  readonly expected: string;
  /** True if the file could not be read at this place, so that its value is not known. */
  readonly isUnread?: true;
  /** The table of a heading that is refused; absent for other faults. */
  readonly heading?: string;
}

/** The fault of a file that cannot be read from some row on, or at all. */
export function brokenFault(file: string, { line, column, message }: CsvBroken): LoadFault {
  return { file, line, column, value: null, expected: message, isUnread: true };
}

/** The faults found so far. */
export interface LoadFaults {
  add(fault: LoadFault): void;
  /** How many more faults are collected. */
  room(): number;
  /** True if that file has a fault. */
  has(file: string): boolean;
  /** The lines of that file that have a fault. */
  linesOf(file: string): readonly number[];
  /** Throws `load_rejected` with every fault, if there is any. */
  refuse(): void;
}

/** Starts without faults, and collects at most `most`; further faults are dropped. */
export function collectFaults(most = SHOWN_FAULTS): LoadFaults {
  const faults: LoadFault[] = [];
  return {
    add: (fault) => {
      if (faults.length < most) faults.push({ ...fault, value: shorten(fault.value) });
    },
    room: () => most - faults.length,
    has: (file) => faults.some((fault) => fault.file === file),
    linesOf: (file) =>
      faults.flatMap((fault) => (fault.file === file && fault.line !== null ? [fault.line] : [])),
    refuse: () => {
      if (faults.length > 0) throw rejected(faults.toSorted(byPlace), most);
    },
  };
}

function shorten(value: string | null): string | null {
  if (value === null || value.length <= MAX_SHOWN_CHARACTERS) return value;
  return `${value.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}

function byPlace(a: LoadFault, b: LoadFault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0);
}

function rejected(faults: readonly LoadFault[], most: number): CrossfootError {
  const [first] = faults;
  const files = new Set(faults.map((fault) => fault.file)).size;
  // The message is logged, so it names the position but no value: values are only in the error's data.
  const place = [first?.file, first?.line && `line ${first.line}`, first?.column].filter(Boolean).join(', ');
  const count = `${faults.length}${faults.length === most ? ' or more' : ''}`;
  return new CrossfootError(
    'load_rejected',
    `${count} ${faults.length === 1 ? 'fault' : 'faults'} in ${files} ${files === 1 ? 'file' : 'files'}, the first at ${place}; nothing was loaded.`,
    { hint: `Correct the files and load again.${ownHeadings(faults)}`, data: { faults } },
  );
}

/** What to do with the headings of a person's own file. */
function ownHeadings(faults: readonly LoadFault[]): string {
  const table = faults.find(({ heading }) => heading !== undefined)?.heading;
  if (table === undefined) return '';
  return ` Or keep your headings: --columns names a file that says what each means. npx --no crossfoot load --describe ${table} lists the columns.`;
}
