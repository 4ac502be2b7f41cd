/**
 * Distinguishes the parts of an export from repeated runs, which would count every charge twice. Two folders count
 * as repeated runs if their files have charges for overlapping times in one bill, unless the caller says that they are parts.
 */
import { dirname } from 'node:path';
import type { LoadFaults } from '../staging/faults.ts';
import { shownUnits } from './decimals.ts';

/** How many spans a folder keeps for a bill. Above that, they become one span, from the first start to the last end. */
const MAX_SPANS = 1_000;

/** The end of each covered span, by its start. */
type Spans = Map<number, number>;

interface Charged {
  /** The provider, billing account and month, as a JSON list. */
  readonly bill: string;
  readonly start: number;
  readonly end: number;
  readonly currency: string;
  readonly units: bigint;
}

interface FolderPart {
  readonly folder: string;
  readonly files: Set<string>;
  readonly spans: Spans;
  readonly sums: Map<string, bigint>;
}

export interface Runs {
  add(file: { readonly path: string; readonly shown: string }, charged: Charged): void;
  /** Adds a fault for each folder that overlaps another in time; a pair of folders gets one fault. */
  refuse(faults: LoadFaults): void;
}

export function collectRuns(): Runs {
  const bills = new Map<string, Map<string, FolderPart>>();
  // A file has many charges and few bills. This map gives the part of a charge without computing its folder again.
  const ofFiles = new Map<string, Map<string, FolderPart>>();
  const partOf = (path: string, shown: string, bill: string): FolderPart => {
    const folder = dirname(path);
    const folders = bills.get(bill) ?? new Map<string, FolderPart>();
    bills.set(bill, folders);
    const part = folders.get(folder) ?? { folder, files: new Set(), spans: new Map(), sums: new Map() };
    folders.set(folder, part);
    part.files.add(shown);
    ofFiles.set(path, (ofFiles.get(path) ?? new Map<string, FolderPart>()).set(bill, part));
    return part;
  };
  return {
    add: ({ path, shown }, { bill, start, end, currency, units }) => {
      const part = ofFiles.get(path)?.get(bill) ?? partOf(path, shown, bill);
      part.sums.set(currency, (part.sums.get(currency) ?? 0n) + units);
      // A charge that ends when it starts still covers that moment.
      part.spans.set(start, Math.max(part.spans.get(start) ?? 0, end, start + 1));
      if (part.spans.size > MAX_SPANS) joinAll(part.spans);
    },
    refuse: (faults) => {
      for (const [bill, folders] of bills) refuseRepeatedRuns(bill, [...folders.values()], faults);
    },
  };
}

function joinAll(spans: Spans): void {
  const start = Math.min(...spans.keys());
  const end = Math.max(...spans.values());
  spans.clear();
  spans.set(start, end);
}

function refuseRepeatedRuns(bill: string, parts: readonly FolderPart[], faults: LoadFaults): void {
  const [provider, billingAccount, month] = JSON.parse(bill) as readonly string[];
  for (const [part, other] of overlapping(parts)) {
    faults.add({
      file: [...part.files].join(', '),
      line: null,
      column: null,
      value: null,
      expected: `one run of an export: ${partShown(other)} and ${partShown(part)} both have charges for the same times in the bill of ${provider}, billing account ${billingAccount}, ${month}; load the newer run alone, or add --parts if both are parts of one bill`,
      isUnread: true,
    });
  }
}

function partShown({ files, folder, sums }: FolderPart): string {
  const [only] = files;
  const money = [...sums].map(([currency, units]) => `${shownUnits(units)} ${currency}`).join(', ');
  return `${files.size === 1 ? only : `${files.size} files of ${folder}`} (${money})`;
}

interface Reach {
  readonly part: FolderPart;
  readonly end: number;
}

/** Maps a part to another part that it overlaps in time. A pair that overlaps occurs once. */
function overlapping(parts: readonly FolderPart[]): ReadonlyMap<FolderPart, FolderPart> {
  const found = new Map<FolderPart, FolderPart>();
  const spans = parts
    .flatMap((part) => [...part.spans].map(([start, end]) => ({ start, end, part })))
    .toSorted((a, b) => a.start - b.start);
  // The two parts whose earlier spans end latest. One may be the part of the current span; then the other is compared.
  let reaches: readonly Reach[] = [];
  for (const { start, end, part } of spans) {
    const other = reaches.find((reach) => reach.part !== part);
    if (other !== undefined && start < other.end && found.get(other.part) !== part)
      found.set(part, found.get(part) ?? other.part);
    const own = Math.max(end, reaches.find((reach) => reach.part === part)?.end ?? end);
    reaches = [{ part, end: own }, ...reaches.filter((reach) => reach.part !== part)]
      .toSorted((a, b) => b.end - a.end)
      .slice(0, 2);
  }
  return found;
}
