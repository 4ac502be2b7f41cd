/** The forms of files that can be loaded, by the ends of their names. */
import { createReadStream } from 'node:fs';
import { readCsv } from './csv.ts';
import type { CsvRow } from '../staging/row.ts';
import type { Encoding } from '../staging/mode.ts';
import { unzipped } from './gzip.ts';
import { readNdjson } from './ndjson.ts';
import { type ForeignParquet, readParquet } from './parquet.ts';

export interface ReadOptions {
  readonly encoding: Encoding | null;
  readonly foreign?: ForeignParquet | undefined;
  /** Takes the SHA-256 of the unpacked content, of a file that is packed. */
  readonly onUnpacked?: (sha256: string) => void;
}

export interface Form {
  readonly ending: string;
  /** The rows, header first, some at once. */
  readonly rows: (path: string, options: ReadOptions) => AsyncGenerator<readonly CsvRow[]>;
}

const FORMS: readonly Form[] = [
  { ending: '.csv', rows: (path, { encoding }) => readCsv(createReadStream(path), encoding) },
  {
    ending: '.csv.gz',
    rows: (path, { encoding, onUnpacked }) => readCsv(unzipped(path, onUnpacked), encoding),
  },
  { ending: '.ndjson', rows: (path, { encoding }) => readNdjson(createReadStream(path), encoding) },
  { ending: '.parquet', rows: (path, { foreign }) => readParquet(path, foreign) },
];

export const ENDINGS = FORMS.map(({ ending }) => ending);

/** The form of a file of that name; undefined for a file that cannot be loaded. */
export function formOf(name: string): Form | undefined {
  return FORMS.find(({ ending }) => name.toLowerCase().endsWith(ending));
}

/** What a person does with a file of another form. The first ending that fits counts. */
const WAYS_OUT: readonly (readonly [endings: RegExp, expected: string])[] = [
  [
    /\.(?:zip|gz|tgz|tar|zst|bz2|xz|7z|rar|lz4|snappy)$/i,
    'a file that is not packed, or is CSV packed with gzip: unpack it',
  ],
  [/\.(?:xlsx?|xlsm|xlsb|ods|numbers)$/i, 'a sheet that is saved as CSV UTF-8'],
  [/\.(?:jsonl|json)$/i, 'JSON lines in a file whose name ends in .ndjson: rename it'],
  [/\.(?:tsv|tab|txt|dat)$/i, 'a table in a file whose name ends in .csv, also with tabs: rename it'],
];

/** What was expected of a file that cannot be loaded. */
export function wayOut(name: string): string {
  const found = WAYS_OUT.find(([endings]) => endings.test(name))?.[1];
  return found ?? `a file whose name ends in ${ENDINGS.join(', ')}`;
}
