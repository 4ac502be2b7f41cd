/** `load`: loads files of every form that `sources` reads into the ledger, in one transaction. */
import type { Client } from 'pg';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { hasSqlState, SQLSTATE_CLASS } from '../../postgres-errors.ts';
import { readStatement } from '../../database/columns.ts';
import { openClient } from '../connect.ts';
import { readCatalogue } from '../staging/catalogue.ts';
import {
  collectFaults,
  type LoadFault,
  type LoadFaults,
  REJECTED_FAULTS,
  SHOWN_FAULTS,
} from '../staging/faults.ts';
import { rejectedRows } from './rejects.ts';
import { type FileOptions, type LoadProgress, checkFiles, readFiles } from './files.ts';
import { holdGates } from './gates.ts';
import { verifyWritten } from './verify-written.ts';
import { accountsOf } from './merge.ts';
import { type DecimalSign, type Expected, type LoadMode, parseExpected } from '../staging/mode.ts';
import { inKeyOrder } from './order.ts';
import { placeFaults } from '../sources/pages.ts';
import type { FindOptions } from '../sources/find-files.ts';
import { type LoadFolder, openInputs } from '../sources/inputs.ts';
import { readOwnHeadings, withColumns } from '../sources/own-headings.ts';
import type { ReadFile } from '../sources/reading.ts';
import { DEFAULT_SOURCE, hasLoadRef } from '../staging/spellings.ts';
import { canMiss, planMissing, refuseRemovals } from './plan.ts';
import { refusedLoad } from '../staging/refusals.ts';
import type { StagedFile } from '../staging/staged-file.ts';
import { requireExpected, type TiedFile, tieOut } from './tie-out.ts';
import { type LoadedTable, writeRows } from './write.ts';

// The key of an advisory lock: any number that no other program uses. Without it, two loads at once would wait for each
// other's rows and might deadlock.
const LOCK = 4_216_001_358;

// The staged rows are sorted and joined in memory, and a small sample of them is enough for a plan. Compiling a statement
// with a hundred expressions takes longer than running it.
const FOR_MANY_ROWS = `set local work_mem = '64MB'; set local temp_buffers = '64MB';
  set local default_statistics_target = 10; set local jit = off`;

export interface LoadRequest extends FindOptions {
  /** The URL of a login that may take the role `cf_owner`. */
  readonly url: string;
  /** Files and folders; `-` is standard input. */
  readonly paths: readonly string[];
  /** The sign before the decimals of all amounts; without it, an amount that could be two numbers is refused. */
  readonly decimal?: DecimalSign;
  /** The table of standard input. */
  readonly table?: string;
  /** A YAML file with the columns that the headings of the files mean. */
  readonly columns?: string;
  readonly mode: LoadMode;
  /** With upsert: delete rows that an account in a file has and the file does not. */
  readonly deleteMissing?: boolean;
  /** With upsert: delete rows that the source of a file had and the file does not. */
  readonly complete?: boolean;
  /** With complete: delete also where a file has no row, or over a tenth of an amount of its source. */
  readonly allowRemoval?: boolean;
  /** The source of the files: their rows are found again by their names in it. */
  readonly source?: string;
  /** Do everything, and roll it back. */
  readonly dryRun?: boolean;
  /** The only account whose rows may be in the files; the files may then omit the account column. */
  readonly account?: bigint | null;
  /** Writes the refused rows of a load that is refused; `lines` are a CSV file. */
  readonly onRejects?: (lines: AsyncGenerator<string>) => Promise<void>;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** What the files must hold together. */
  readonly expect?: Expected;
  /** Takes the rows and sums of each file, which the ledger has too. */
  readonly onTied?: (files: readonly TiedFile[]) => void;
  /** Told the accounts of the costs and value entries in the files, once these are written. */
  readonly onEntries?: (accounts: readonly bigint[]) => void;
  /** The files that `makeRows` makes its rows from, read before. */
  readonly filesBefore?: readonly ReadFile[];
  /** Makes the rows within the transaction of the load, instead of reading them from paths. */
  readonly makeRows?: (client: Client) => Promise<LoadFolder>;
  /** Writes what belongs to the rows of `makeRows`, after these. */
  readonly afterRows?: (client: Client) => Promise<void>;
}

/** Loads the folder and returns the outcome for each table's rows; throws `load_rejected` with all faults. */
export async function load(request: LoadRequest): Promise<readonly LoadedTable[]> {
  const read: ReadFile[] = [];
  const onFile = (file: ReadFile): void => {
    read.push(file);
    request.onFile?.(file);
  };
  const { columns } = request;
  const headings = columns === undefined ? null : { path: columns, headings: await readOwnHeadings(columns) };
  const options = { ...request, onFile, ...(columns !== undefined && { besides: columns }) };
  const openFiles = async (): Promise<LoadFolder> => {
    const files = await openInputs(request.paths, options);
    return headings === null ? files : withColumns(files, headings);
  };
  const inputs = request.makeRows === undefined ? await openFiles() : null;
  if (
    request.mode === 'replace-account' &&
    (request.account ?? null) === null &&
    inputs?.names.includes('accounts.csv') !== true
  ) {
    throw new CrossfootError('usage_invalid', 'The mode replace-account needs an account.', {
      hint: 'Add accounts.csv to the folder, or name one with --account.',
    });
  }
  // If nothing commits, the end of the session rolls back.
  await using client = await openClient({
    url: request.url,
    role: 'cf_owner',
    applicationName: 'crossfoot load',
  });
  await client.query('begin');
  // The catalogue omits schemas of the search path from names, and we need full names.
  await client.query('set local search_path = pg_catalog, pg_temp');
  await client.query(FOR_MANY_ROWS);
  await waitForTurn(client, request);
  const folder = inputs ?? (await request.makeRows?.(client)) ?? (await openFiles());
  const loaded = await loadFiles(client, folder, request).catch(async (error: unknown) => {
    if (isCrossfootError(error, 'load_rejected')) {
      await request.onRejects?.(rejectedRows(folder, error.data['faults'] as LoadFault[])); // its only data
    }
    throw error;
  });
  await request.afterRows?.(client);
  const source = request.source ?? DEFAULT_SOURCE;
  await recordFiles(client, [...(request.filesBefore ?? []), ...read], source);
  await client.query(request.dryRun === true ? 'rollback' : 'commit');
  return loaded;
}

/** Takes the lock of loads. A load that has to wait says so at once: the other one may take minutes. */
async function waitForTurn(client: Client, { onNote }: Pick<LoadRequest, 'onNote'>): Promise<void> {
  const [turn] = await readStatement(client, {
    name: 'turn of a load',
    text: 'select pg_try_advisory_xact_lock($1) as taken',
    values: [LOCK],
    columns: { taken: 'bool' },
  });
  if (turn?.taken === true) return;
  onNote?.('Another load is running; this load waits until it ends.');
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

/** Records the files with their digests. A later load compares rows, and never reads this. */
async function recordFiles(client: Client, files: readonly ReadFile[], source: string): Promise<void> {
  if (files.length === 0) return;
  await client.query(
    `insert into ops.loaded_files (source, file, sha256, rows)
     select $1, file, sha256, rows from unnest($2::text[], $3::text[], $4::bigint[]) as f (file, sha256, rows)`,
    [source, files.map(({ file }) => file), files.map(({ sha256 }) => sha256), files.map(({ rows }) => rows)],
  );
}

async function loadFiles(
  client: Client,
  folder: LoadFolder,
  request: LoadRequest,
): Promise<readonly LoadedTable[]> {
  const {
    mode,
    account = null,
    decimal = null,
    source = DEFAULT_SOURCE,
    onProgress = () => undefined,
  } = request;
  const most = request.onRejects === undefined ? SHOWN_FAULTS : REJECTED_FAULTS;
  const faults = placeFaults(folder, collectFaults(most));
  const options: FileOptions = { folder, account, decimal, source, faults, onProgress };
  const tables = inKeyOrder(await readCatalogue(client));
  const files = await readFiles(client, tables, options);
  const accounts = await namedAccounts(client, files, { mode, account });
  const deletesFrom = deletionsOf(request);
  refuseDeletions(files, request, faults);
  await checkFiles(client, files, { mode, accounts, deletesFrom }, options);
  faults.refuse();

  const missing = await planMissing(client, { mode, deletesFrom, accounts, files, tables });
  if (request.allowRemoval !== true) await refuseRemovals(client, missing.deletes, faults);
  faults.refuse();
  await client.query('set constraints all deferred');
  await holdGates(client, files);
  const onTable = (table: string, rows: number): void => onProgress({ step: 'written', table, rows });
  const loaded = await writeRows(client, { files, ...missing, tables, faults, onTable });
  faults.refuse();
  for (const staged of files) await verifyWritten(client, staged, faults);
  faults.refuse();
  await checkDeferred(client, files, faults);
  const tied: TiedFile[] = [];
  for (const staged of files) {
    const name = folder.shown(staged.file);
    const file = await tieOut(client, staged, name);
    const control = folder.control?.(staged.file) ?? null;
    if (control !== null) requireExpected(`${name}.control`, [file], controlOf(name, control));
    tied.push(file);
  }
  if (request.expect) requireExpected('--expect', tied, request.expect);
  request.onTied?.(tied);
  request.onEntries?.(await accountsOfEntries(client, files));
  return loaded;
}

/** The rows and sums of the control line beside a file; throws if the line has another form. */
export function controlOf(name: string, text: string): Expected {
  const expected = parseExpected(text);
  if (expected !== null) return expected;
  throw new CrossfootError(
    'usage_invalid',
    `${name}.control is no line such as rows=3,USD=100.00; nothing was loaded.`,
    {
      hint: 'Correct the control line, or remove its file.',
    },
  );
}

/** Tables whose rows may lack a dollar figure. */
const ENTRIES: readonly string[] = ['cost_entries', 'value_entries'];

async function accountsOfEntries(client: Client, files: readonly StagedFile[]): Promise<readonly bigint[]> {
  const accounts = new Set<bigint>();
  for (const staged of files.filter(({ table }) => ENTRIES.includes(table.name)))
    for (const account of await accountsOf(client, staged)) accounts.add(account);
  return [...accounts];
}

/** Whether the missing rows of a file are deleted, and those of a table without a file. */
function deletionsOf(request: LoadRequest): (staged: StagedFile | undefined) => boolean {
  const { mode, deleteMissing = false, complete = false } = request;
  return (staged) => {
    if (mode === 'replace-account') return staged === undefined || canMiss(staged.table);
    if (mode !== 'upsert' || staged === undefined || !canMiss(staged.table)) return false;
    return staged.source === null ? deleteMissing : complete;
  };
}

/** Adds a fault for each file whose rows are not of the kind that the request deletes. */
function refuseDeletions(files: readonly StagedFile[], request: LoadRequest, faults: LoadFaults): void {
  const { deleteMissing = false, complete = false } = request;
  for (const { file, table, source } of files.filter((staged) => canMiss(staged.table))) {
    if (complete && source === null && hasLoadRef(table)) {
      const expected = 'source_ref instead of id: --complete deletes rows of its own source only';
      faults.add({ file, line: 1, column: 'id', value: 'id', expected });
    } else if (deleteMissing && source !== null) {
      const expected =
        'id instead of source_ref with --delete-missing; or --complete, which deletes rows of its source';
      faults.add({ file, line: 1, column: 'source_ref', value: 'source_ref', expected });
    }
  }
}

/** The accounts that a load may write; null if the files decide. */
async function namedAccounts(
  client: Client,
  files: readonly StagedFile[],
  { mode, account }: { readonly mode: LoadMode; readonly account: bigint | null },
): Promise<readonly bigint[] | null> {
  if (account !== null) return [account];
  const staged = files.find(({ table }) => table.name === 'accounts');
  return mode === 'replace-account' && staged?.isPart === false ? accountsOf(client, staged) : null;
}

/** Checks the deferred constraints now, not at the commit, so that a fault can name the row. */
async function checkDeferred(
  client: Client,
  files: readonly StagedFile[],
  faults: LoadFaults,
): Promise<void> {
  await client.query('savepoint deferred');
  try {
    await client.query('set constraints all immediate');
  } catch (error) {
    if (!hasSqlState(error, SQLSTATE_CLASS.integrity_constraint_violation)) throw error;
    await client.query('rollback to savepoint deferred');
    faults.add(await refusedLoad(client, files, error));
    faults.refuse();
  }
}
