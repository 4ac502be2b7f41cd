/** What becomes of a file: read by the readers and parsers alone, or by a whole load that is rolled back. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Client } from 'pg';
import { CrossfootError } from '../../src/errors.ts';
import { loadFocus } from '../../src/ledger/focus/load-focus.ts';
import { UNITS_PER_CENT } from '../../src/ledger/focus/decimals.ts';
import { readMapping } from '../../src/ledger/focus/mapping.ts';
import { readFocusFiles } from '../../src/ledger/focus/read-files.ts';
import { collectFaults } from '../../src/ledger/staging/faults.ts';
import type { LoadTable } from '../../src/ledger/staging/load-table.ts';
import { load } from '../../src/ledger/load/load.ts';
import type { Expected, Sums } from '../../src/ledger/staging/mode.ts';
import { stageFile } from '../../src/ledger/load/stage.ts';
import { requireExpected } from '../../src/ledger/load/tie-out.ts';
import { findForeignFiles, openInputs } from '../../src/ledger/sources/inputs.ts';
import { type Sheet, columnOf } from './sheet.ts';

/** A judge tells why a file is refused; null for a file that is loaded. */
export type Judge = (sheet: Sheet, bytes: Buffer, expect?: Expected) => Promise<string | null>;

/** The line that a person knows of the file before any slip. */
export function expectedOf(sheet: Sheet): Expected {
  const sums = new Map<string, bigint>();
  for (const cells of sheet.rows) {
    const currency = cells[columnOf(sheet, 'currency')] ?? '';
    const cents = BigInt((cells[columnOf(sheet, 'amount')] ?? '').replace('.', ''));
    sums.set(currency, (sums.get(currency) ?? 0n) + cents);
  }
  return { rows: sheet.rows.length, sums };
}

async function refusalOf(loading: () => Promise<unknown>): Promise<string | null> {
  try {
    await loading();
    return null;
  } catch (error) {
    // Any other error is a fault of the program, also where the file is wrong.
    if (!(error instanceof CrossfootError) || error.code === 'load_not_tied') throw error;
    return `${error.code}: ${error.message}`;
  }
}

/** Where the files are written, each only for a moment. */
interface Place {
  readonly folder: string;
}

async function written<Result>(
  { folder }: Place,
  { content, form }: Sheet,
  bytes: Buffer,
  use: (paths: readonly string[], stdin: Readable) => Promise<Result>,
): Promise<Result> {
  const stdin = Readable.from([bytes]);
  if (form === 'standard input') return await use(['-'], stdin);
  const path = join(folder, `${content === 'costs' ? 'cost_entries' : 'bill'}.${form}`);
  try {
    await writeFile(path, bytes);
    return await use([path], stdin);
  } finally {
    await rm(path, { force: true });
  }
}

/** Reads and parses a file as a load does, without a database. */
export function readerJudge(place: Place, table: LoadTable): Judge {
  return async (sheet, bytes, expect) =>
    await written(place, sheet, bytes, (paths, stdin) =>
      refusalOf(async () => {
        const read = sheet.content === 'costs' ? await readCosts(paths, stdin, table) : await readBill(paths);
        if (expect) requireExpected('--expect', [{ file: 'the files', ...read }], expect);
      }),
    );
}

interface Read {
  readonly rows: number;
  readonly sums: Sums;
}

/** A client that takes all rows and has none: staging needs no more of a database. */
const NO_DATABASE = {
  query: (asked: unknown) =>
    typeof asked === 'string'
      ? Promise.resolve({ rows: [] })
      : new Writable({ write: (_chunk, _encoding, done) => done() }),
} as unknown as Client;

/** Standard input has no name that says its table. */
function tableOf(paths: readonly string[], table: string): { readonly table?: string } {
  return paths.includes('-') ? { table } : {};
}

async function readCosts(paths: readonly string[], stdin: Readable, table: LoadTable): Promise<Read> {
  const folder = await openInputs(paths, { ...tableOf(paths, table.name), stdin });
  const faults = collectFaults();
  const name = `${table.name}.csv`;
  const staged = await stageFile(NO_DATABASE, name, table, {
    rows: folder.rows(name),
    account: 1n,
    decimal: null,
    faults,
  });
  faults.refuse();
  return { rows: staged?.rowCount ?? 0, sums: staged?.sums ?? new Map() };
}

async function readBill(paths: readonly string[]): Promise<Read> {
  const faults = collectFaults();
  const { bills } = await readFocusFiles(await findForeignFiles(paths), {
    mapping: await readMapping(undefined),
    faults,
    areParts: false,
  });
  faults.refuse();
  const sums = new Map<string, bigint>();
  let rows = 0;
  for (const { currency, total, parts } of bills.values()) {
    sums.set(currency, (sums.get(currency) ?? 0n) + total / UNITS_PER_CENT);
    for (const { charges } of parts.values()) rows += charges;
  }
  return { rows, sums };
}

/** Loads a file whole into a real ledger, as the product's role, and rolls it back. */
export function loadJudge(
  place: Place,
  { url, account }: { readonly url: string; readonly account: bigint },
): Judge {
  return async (sheet, bytes, expect) =>
    await written(place, sheet, bytes, (paths, stdin) =>
      refusalOf(async () => {
        // Standard input is no option of the command.
        const request = {
          stdin,
          url,
          account,
          paths,
          dryRun: true,
          source: 'slips',
          ...(expect && { expect }),
        };
        if (sheet.content === 'bill')
          await loadFocus({ ...request, isOwnSnapshot: async () => await Promise.resolve(false) });
        else await load({ ...request, mode: 'upsert', ...tableOf(paths, 'cost_entries') });
      }),
    );
}
