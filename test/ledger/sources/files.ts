/** Small files of every form that can be loaded, and what their readers give. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { CsvBroken, type CsvRow } from '../../../src/ledger/staging/row.ts';
import type { FindOptions } from '../../../src/ledger/sources/find-files.ts';
import { findForeignFiles, openInputs } from '../../../src/ledger/sources/inputs.ts';
import { connectDuckDb } from '../../parquet/read-back.ts';

export const TEXT_FORMS = ['csv', 'csv.gz', 'standard input', 'focus csv', 'focus csv.gz'] as const;
export const JSON_FORMS = ['ndjson', 'focus ndjson'] as const;
export const PARQUET_FORMS = ['parquet', 'focus parquet'] as const;

export type FileForm = (typeof TEXT_FORMS | typeof JSON_FORMS | typeof PARQUET_FORMS)[number];

export interface WasRead {
  readonly rows: readonly CsvRow[];
  readonly notes: readonly string[];
  /** The reason why the whole file is refused. */
  readonly broken: string | null;
}

/** The ending of the files of a form. */
export function endingOf(form: FileForm): string {
  return form === 'standard input' ? 'csv' : form.replace('focus ', '');
}

/** Reads the bytes, or the file that is there already, as a load would. `meanwhile` runs after the header. */
export async function readAs(
  form: FileForm,
  folder: string,
  bytes: Buffer | null,
  { meanwhile, ...options }: FindOptions & { readonly meanwhile?: () => Promise<void> } = {},
): Promise<WasRead> {
  const path = join(folder, `costs.${endingOf(form)}`);
  if (bytes !== null) await writeFile(path, form.endsWith('.gz') ? gzipSync(bytes) : bytes);
  const notes: string[] = [];
  const rows: CsvRow[] = [];
  try {
    const all = await rowsOf(form, path, { ...options, onNote: (note) => notes.push(note) }, bytes);
    for await (const row of all) {
      if (rows.length === 0) await meanwhile?.();
      rows.push(row);
    }
    return { rows, notes, broken: null };
  } catch (error) {
    if (!(error instanceof CsvBroken)) throw error;
    return { rows, notes, broken: error.message };
  }
}

async function rowsOf(
  form: FileForm,
  path: string,
  options: FindOptions,
  bytes: Buffer | null,
): Promise<AsyncIterable<CsvRow>> {
  if (form === 'standard input') {
    const stdin = Readable.from([bytes ?? Buffer.alloc(0)]);
    return (await openInputs(['-'], { ...options, table: 'costs', stdin })).rows('costs.csv');
  }
  if (!form.startsWith('focus ')) return (await openInputs([path], options)).rows('costs.csv');
  const [file] = await findForeignFiles([path], options);
  if (file === undefined) throw new TypeError('no file was found');
  return file.rows({ wanted: () => true });
}

/** Writes the result of a select as Parquet. */
export async function writeSelect(path: string, select: string): Promise<void> {
  const session = await connectDuckDb();
  await session.run(`copy (${select}) to '${path}' (format parquet)`);
  session.closeSync();
}
