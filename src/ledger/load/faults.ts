/** What is wrong with the files of a load: collected while there is room, then refused together. */
import { CrossfootError } from '../../errors.ts';

// Enough to correct a file by; a column of the wrong kind would otherwise fill a terminal.
const MAX_FAULTS = 100;
const MAX_SHOWN_CHARACTERS = 200;

/** One thing that keeps a load from happening, and where it stands. */
export interface LoadFault {
  readonly file: string;
  /** The line on which the row begins, the header being 1; null for what concerns the whole file or a row not in it. */
  readonly line: number | null;
  /** The column, or columns separated by ", ". */
  readonly column: string | null;
  /** The text of the cell, cut at 200 characters; null for an empty one. */
  readonly value: string | null;
  /** What would have been right, or what is wrong. */
  readonly expected: string;
}

/** The faults found so far. */
export interface LoadFaults {
  add(fault: LoadFault): void;
  /** How many more will be kept. */
  room(): number;
  /** True once anything is wrong with that file. */
  has(file: string): boolean;
  /** Throws `load_rejected` with every fault, if there is any. */
  refuse(): void;
}

/** An empty list. */
export function collectFaults(): LoadFaults {
  const faults: LoadFault[] = [];
  return {
    add: (fault) => {
      if (faults.length < MAX_FAULTS) faults.push({ ...fault, value: shorten(fault.value) });
    },
    room: () => MAX_FAULTS - faults.length,
    has: (file) => faults.some((fault) => fault.file === file),
    refuse: () => {
      if (faults.length > 0) throw rejected(faults.toSorted(byPlace));
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

function rejected(faults: readonly LoadFault[]): CrossfootError {
  const [first] = faults;
  const files = new Set(faults.map((fault) => fault.file)).size;
  // The message is logged, so it says where and not what: values stay in the data.
  const place = [first?.file, first?.line && `line ${first.line}`, first?.column].filter(Boolean).join(', ');
  const count = `${faults.length}${faults.length === MAX_FAULTS ? ' or more' : ''}`;
  return new CrossfootError(
    'load_rejected',
    `${count} ${faults.length === 1 ? 'fault' : 'faults'} in ${files} ${files === 1 ? 'file' : 'files'}, the first at ${place}; nothing was loaded.`,
    { hint: 'Correct the files and load again.', data: { faults } },
  );
}
