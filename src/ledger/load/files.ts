/** Stages the files of a load in the database and checks their rows. */
import type { Client } from 'pg';
import type { LoadTable } from '../staging/load-table.ts';
import { checkRows } from './checks.ts';
import type { LoadFaults } from '../staging/faults.ts';
import { checkTypes } from './check-types.ts';
import { resolveNames } from '../identity/resolve.ts';
import type { LoadFolder } from '../sources/inputs.ts';
import { nearestOf } from '../sources/nearest.ts';
import type { DecimalSign, LoadMode } from '../staging/mode.ts';
import { checkReferences } from './references.ts';
import { makeRows } from './rows.ts';
import { stageFile } from './stage.ts';
import { type StagedFile, withoutFaults } from '../staging/staged-file.ts';

export interface LoadProgress {
  /** `reading` comes repeatedly while a large file is read. */
  readonly step: 'reading' | 'read' | 'checked' | 'written';
  readonly table: string;
  readonly rows: number;
}

export interface FileOptions {
  readonly folder: LoadFolder;
  readonly account: bigint | null;
  /** The source of the load: a `source_ref` names a row within one source. */
  readonly source: string;
  readonly decimal: DecimalSign | null;
  readonly faults: LoadFaults;
  readonly onProgress: (progress: LoadProgress) => void;
}

/**
 * Stages the files in the order of `tables` and makes their typed rows. Adds faults for rows that cannot be read, and
 * leaves them out, so that the other rows are checked further.
 */
export async function readFiles(
  client: Client,
  tables: readonly LoadTable[],
  options: FileOptions,
): Promise<readonly StagedFile[]> {
  const { folder, account, decimal, faults, onProgress } = options;
  const { names } = folder;
  const known = new Set(tables.map((table) => `${table.name}.csv`));
  for (const file of names.filter((name) => !known.has(name))) {
    faults.add({
      file,
      line: null,
      column: null,
      value: folder.shown(file),
      expected: knownName(file, tables),
    });
  }
  for (const file of folder.twice) {
    const expected = 'one file for the rows of a table';
    faults.add({ file, line: null, column: null, value: folder.shown(file), expected });
  }
  const files: StagedFile[] = [];
  for (const table of tables.filter(({ name }) => names.includes(`${name}.csv`))) {
    const file = `${table.name}.csv`;
    const onRows = (rows: number): void => onProgress({ step: 'reading', table: table.name, rows });
    const rows = folder.rows(file);
    const texts = await stageFile(client, file, table, { rows, account, decimal, faults, onRows });
    if (texts === null) continue;
    onProgress({ step: 'read', table: table.name, rows: texts.rowCount });
    await checkTypes(client, texts, faults);
    // At the limit of faults, further rows with faults were not recorded. They are still staged and cannot be typed.
    if (faults.room() === 0) continue;
    const readable = await withoutFaults(client, texts, faults);
    const staged = await resolveNames(client, readable, { source: options.source, files, names, faults });
    await makeRows(client, staged, faults);
    files.push({ ...staged, isPart: staged.isPart || faults.has(staged.file) });
  }
  return files;
}

function knownName(file: string, tables: readonly LoadTable[]): string {
  const nearest = nearestOf(
    file.slice(0, -'.csv'.length),
    tables.map(({ name }) => name),
  );
  const meant = nearest === null ? '' : `; did you mean ${nearest}.csv?`;
  return `the name of a table that can be loaded${meant || '; --table says the table of one file'}`;
}

export interface CheckScope {
  readonly mode: LoadMode;
  readonly accounts: readonly bigint[] | null;
  /** True for a file whose missing rows are deleted. */
  readonly deletesFrom: (staged: StagedFile) => boolean;
}

/** Checks whether the rows of every file may be written. */
export async function checkFiles(
  client: Client,
  files: readonly StagedFile[],
  { mode, accounts, deletesFrom }: CheckScope,
  { faults, onProgress }: FileOptions,
): Promise<void> {
  for (const staged of files) {
    await checkRows(client, staged, faults, {
      mode,
      accounts,
      deletes: deletesFrom(staged) || staged.isPart,
    });
    onProgress({ step: 'checked', table: staged.table.name, rows: staged.rowCount });
  }
  for (const staged of files) {
    await checkReferences(client, staged, { files, faults, mode, deletes: deletesFrom });
  }
}
