/** Bills in each form that `load --focus` reads, and what it reads of them, without a ledger. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readMapping } from '../../../src/ledger/focus/mapping.ts';
import { type FocusSums, readFocusFiles } from '../../../src/ledger/focus/read-files.ts';
import { type LoadFault, SHOWN_FAULTS } from '../../../src/ledger/staging/faults.ts';
import { findForeignFiles } from '../../../src/ledger/sources/inputs.ts';
import { type Charge, csv, writeParquet } from './bills.ts';

export const FORMS = ['csv', 'csv.gz', 'parquet'] as const;
export type Form = (typeof FORMS)[number];

export interface WasRead {
  readonly sums: FocusSums;
  readonly faults: readonly LoadFault[];
  readonly unmatched: readonly string[];
}

interface Reading {
  readonly types?: Readonly<Record<string, string>>;
  readonly mapping?: string;
  readonly areParts?: boolean;
  /** The paths below the folder that are named; without them, the folder. */
  readonly named?: readonly string[];
}

/** Writes the files, whose names lack the ending of the form, and reads them. */
export async function readForm(
  form: Form,
  files: Readonly<Record<string, readonly Charge[]>>,
  { types = {}, mapping, areParts = false, named }: Reading = {},
): Promise<WasRead> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-forms-'));
  try {
    for (const [name, rows] of Object.entries(files)) {
      const path = join(folder, `${name}.${form}`);
      await mkdir(dirname(path), { recursive: true });
      if (form === 'parquet') await writeParquet(path, rows, types);
      else await writeFile(path, form === 'csv' ? csv(rows) : gzipSync(csv(rows)));
    }
    const map = mapping === undefined ? undefined : join(folder, 'mapping.yml');
    if (map !== undefined) await writeFile(map, mapping ?? '');
    const read = await readMapping(map);
    const faults: LoadFault[] = [];
    const paths = named?.map((name) => join(folder, name)) ?? [folder];
    const sums = await readFocusFiles(await findForeignFiles(paths, {}, map), {
      mapping: read,
      areParts,
      faults: {
        add: (fault) => faults.push(fault),
        room: () => SHOWN_FAULTS,
        has: (file) => faults.some((fault) => fault.file === file),
        linesOf: () => [],
        refuse: () => undefined,
      },
    });
    return { sums, faults, unmatched: read.unmatched() };
  } finally {
    await rm(folder, { recursive: true });
  }
}
