/**
 * The file of `load --columns`: for each table, the headings of a person's own file with the columns that they mean. The words
 * `leave out` in place of a column leave the heading out.
 */
import { z } from 'zod';
import { CrossfootError } from '../../errors.ts';
import { CsvBroken, type CsvRow } from '../staging/row.ts';
import type { LoadFolder } from './inputs.ts';
import { nearestOf } from './nearest.ts';
import { readYaml } from './yaml-file.ts';

const LEAVE_OUT = 'leave out';
const schema = z.record(z.string(), z.record(z.string().trim().min(1), z.string().trim().min(1)));

/** By the name of a table: the column of each heading. */
export type OwnHeadings = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads the file; throws `usage_invalid` for a faulty one. */
export async function readOwnHeadings(path: string): Promise<OwnHeadings> {
  const refuse = (why: string, cause: unknown, end = '.'): never => {
    throw new CrossfootError('usage_invalid', `--columns ${path} ${why}; nothing was loaded${end}`, {
      hint: `It has the name of a table, and below it your headings with our columns, such as Invoice No: source_ref, or with ${LEAVE_OUT}.`,
      cause,
    });
  };
  const yaml = await readYaml(path, refuse);
  const parsed = schema.safeParse(yaml ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse(`has a fault at ${issue?.path.join(': ') || 'its top'}: ${issue?.message}`, parsed.error);
  }
  const tables = Object.entries(parsed.data).map(
    ([table, headings]) =>
      [table, new Map(Object.entries(headings).map(([own, column]) => [spelled(own), column]))] as const,
  );
  if (tables.length === 0) return refuse('names no table', undefined);
  return new Map(tables);
}

/**
 * The same files with our columns instead of the headings. Throws `usage_invalid` if the load has no file of a table that
 * `headings` names.
 */
export function withColumns(
  folder: LoadFolder,
  { path, headings }: { readonly path: string; readonly headings: OwnHeadings },
): LoadFolder {
  for (const table of headings.keys()) {
    if (folder.names.includes(`${table}.csv`)) continue;
    const tables = folder.names.map((name) => name.replace(/\.csv$/, ''));
    const nearest = nearestOf(table, tables);
    throw new CrossfootError(
      'usage_invalid',
      `--columns ${path} names the table ${JSON.stringify(table)}, of which this load has no file; nothing was loaded.`,
      {
        hint: nearest === null ? `This load has files of ${tables.join(', ')}.` : `Did you mean ${nearest}?`,
      },
    );
  }
  return {
    ...folder,
    rows: (name) => {
      const own = headings.get(name.replace(/\.csv$/, ''));
      return own === undefined ? folder.rows(name) : renamed(folder.rows(name), { path, own });
    },
  };
}

interface Renaming {
  readonly path: string;
  readonly own: ReadonlyMap<string, string>;
}

async function* renamed(rows: AsyncGenerator<CsvRow>, { path, own }: Renaming): AsyncGenerator<CsvRow> {
  let left: ReadonlySet<number> | null = null;
  for await (const row of rows) {
    if (left !== null) {
      yield left.size === 0 ? row : without(row, left);
      continue;
    }
    const columns = row.cells.map((cell) => (cell === null ? null : (own.get(spelled(cell)) ?? cell)));
    const found = new Set(row.cells.map((cell) => spelled(cell ?? '')));
    const absent = [...own.keys()].find((heading) => !found.has(heading));
    if (absent !== undefined) {
      const nearest = nearestOf(absent, [...found]);
      const end = nearest === null ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
      throw new CsvBroken(1, `this heading, which ${path} names${end}`, null, absent);
    }
    left = new Set(columns.flatMap((column, index) => (column === LEAVE_OUT ? [index] : [])));
    yield without({ ...row, cells: columns }, left);
  }
}

/** The row without the cells at these indexes. */
function without(row: CsvRow, left: ReadonlySet<number>): CsvRow {
  const indexes = new Map<number, number>();
  const cells = row.cells.filter((_, index) => {
    if (left.has(index)) return false;
    indexes.set(index, indexes.size);
    return true;
  });
  const moved = (of: ReadonlySet<number>): ReadonlySet<number> =>
    new Set([...of].flatMap((index) => indexes.get(index) ?? []));
  const { numbers, nested, fault } = row;
  return {
    ...row,
    cells,
    ...(numbers !== undefined && { numbers: moved(numbers) }),
    ...(nested !== undefined && { nested: moved(nested) }),
    ...(fault !== undefined && {
      fault: { ...fault, index: fault.index === null ? null : (indexes.get(fault.index) ?? null) },
    }),
  };
}

/** A heading as it is compared: without blanks at its ends, in one spelling of composed letters. */
function spelled(heading: string): string {
  return heading.normalize('NFC').trim();
}
