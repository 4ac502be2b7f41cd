/** Reads the files of one load: each as one thing, and no content twice. */
import { createHash, type Hash } from 'node:crypto';
import { readCsv } from './csv.ts';
import { CsvBroken, type CsvRow } from '../staging/row.ts';
import type { Encoding } from '../staging/mode.ts';
import { type Fingerprint, isStill } from './fingerprint.ts';
import type { Form } from './forms.ts';
import type { ForeignParquet } from './parquet.ts';
import { wholeRows } from './whole-rows.ts';

/** A file of a load, as it was before the first byte of any was read. */
export interface OpenFile {
  readonly path: string;
  /** Its name in messages. */
  readonly shown: string;
  readonly form: Form;
  readonly fingerprint: Fingerprint;
  /** The control line beside it, in a file of its name and `.control`; null if there is none. */
  readonly control: string | null;
}

/** A file that was read whole. */
export interface ReadFile {
  readonly file: string;
  /** The digest of the file as it lies there, packed or not. */
  readonly sha256: string;
  readonly rows: number;
}

export interface ReadingOptions {
  readonly encoding?: Encoding | undefined;
  /** Takes remarks for people: what was left out of a file or a folder. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Takes each file once it is read whole. */
  readonly onFile?: ((file: ReadFile) => void) | undefined;
}

export interface Reading {
  readonly rows: (file: OpenFile, foreign?: ForeignParquet) => AsyncGenerator<CsvRow>;
  /** The rows of standard input, which are CSV. */
  readonly standardInput: (stdin: AsyncIterable<Buffer>) => AsyncGenerator<CsvRow>;
}

/** What was read from, and its name in messages. */
interface Origin {
  readonly shown: string;
}

const STANDARD_INPUT: Origin = { shown: 'standard input' };

/** Opens the reading of one load, within which the same content is refused the second time. */
export function openReading({ encoding, onNote, onFile }: ReadingOptions): Reading {
  /** The first file with each content that has rows. */
  const contents = new Map<string, Origin>();
  // Files with refused rows are read twice, and told of once.
  const told = new Set<unknown>();
  const notesOf =
    ({ shown }: Origin) =>
    (what: string): void => {
      const note = `${shown}: ignored ${what}`;
      if (!told.has(note)) onNote?.(note);
      told.add(note);
    };
  const end = (origin: Origin, content: string, file: ReadFile): void => {
    const first = contents.get(content) ?? origin;
    if (file.rows > 0 && first !== origin) {
      const expected = `content of its own: ${first.shown} holds the same, so it would count twice; load one of them`;
      throw new CsvBroken(null, expected, null);
    }
    if (file.rows > 0) contents.set(content, first);
    if (!told.has(origin)) onFile?.(file);
    told.add(origin);
  };
  return {
    async *rows(file, foreign) {
      const { path, form, fingerprint, shown } = file;
      let content = fingerprint.sha256;
      let rows = 0;
      const onUnpacked = (sha256: string): void => void (content = sha256);
      try {
        const read = form.rows(path, { encoding: encoding ?? null, foreign, onUnpacked });
        for await (const some of wholeRows(read, notesOf(file))) {
          rows += some.length;
          for (const row of some) yield row;
        }
      } catch (error) {
        if (await isStill(path, fingerprint)) throw worded(error);
        throw changed(error);
      }
      if (!(await isStill(path, fingerprint))) throw changed(null);
      end(file, content, { file: shown, sha256: fingerprint.sha256, rows: withoutHeader(rows) });
    },
    async *standardInput(stdin) {
      const hash = createHash('sha256');
      let rows = 0;
      const read = readCsv(hashed(stdin, hash), encoding ?? null);
      for await (const some of wholeRows(read, notesOf(STANDARD_INPUT))) {
        rows += some.length;
        for (const row of some) yield row;
      }
      const sha256 = hash.digest('hex');
      end(STANDARD_INPUT, sha256, { file: STANDARD_INPUT.shown, sha256, rows: withoutHeader(rows) });
    },
  };
}

function withoutHeader(rows: number): number {
  return Math.max(rows - 1, 0);
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

function changed(cause: unknown): CsvBroken {
  const expected =
    'a file that stays the same while it is read: another program has changed this one; load it again when it is whole';
  return new CsvBroken(null, expected, cause);
}

/** What was expected of a file that the system does not let us read. */
export function worded(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  const isForbidden = 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
  const expected = isForbidden
    ? 'a file that this user may read: allow it, or load as another user'
    : 'a file that the system can read: look at its disk, and copy the file again';
  return new CsvBroken(null, expected, error);
}
