/** The sets of files in a manifest: the field of each beside the reporting tables, and all of them in one form. */
import { z } from 'zod';
import { REPORTING } from '../../tables/all.ts';
import type { FileSet } from '../../tables/file-set.ts';
import { type SetBeside, SETS_BESIDE } from '../../tables/file-sets.ts';

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const row_count = z.int().min(0);
const blocked = { size_bytes: z.int().min(1), sha256, blocks_sha256: sha256 };
const report = z.object({ size_bytes: z.int().min(0), sha256 });

function nameIn({ tables, called }: FileSet) {
  return z.string().refine((name) => tables.some((table) => table.name === name), `is not a ${called}`);
}

/** A reporting table. */
export const storedTable = z.object({ name: nameIn(REPORTING), row_count, ...blocked });

function listed(set: FileSet) {
  const tables = z.array(z.object({ name: nameIn(set), ...blocked })).min(1);
  return z
    .object({ tables, later: tables.optional(), report })
    .refine(({ tables: first, later = [] }) => namesDiffer([...first, ...later]), 'names a table twice');
}

function single(version: string) {
  return z.object({ version: z.literal(version), row_count, ...blocked, report });
}

type Fields = {
  readonly [Set in SetBeside as Set['name']]: z.ZodOptional<
    ReturnType<Set extends { readonly version: string } ? typeof single : typeof listed>
  >;
};

/** The field of each set; absent if the account switched the set off, and in a snapshot of an older program. */
export const SET_FIELDS = Object.fromEntries(
  SETS_BESIDE.map((set: FileSet) => [
    set.name,
    (set.version === undefined ? listed(set) : single(set.version)).optional(),
  ]),
) as unknown as Fields; // each name has the form that its set says

type Unserved = Extract<SetBeside, { readonly served: false }>['name'];

/** The fields that no server sends. */
export const UNSERVED = Object.fromEntries(
  SETS_BESIDE.filter(({ served }) => !served).map(({ name }) => [name, true]),
) as Readonly<Record<Unserved, true>>;

/** A manifest without the fields that no server sends. */
export function withoutUnserved<Named extends object>(manifest: Named): Omit<Named, Unserved> {
  const entries = Object.entries(manifest).filter(([name]) => !(name in UNSERVED));
  return Object.fromEntries(entries) as Omit<Named, Unserved>;
}

interface StoredFile {
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

/** A set that a manifest names: its tables, and the files beside them. */
export interface StoredSet {
  readonly set: FileSet;
  /** The manifest counts the rows of a set that is served. */
  readonly tables: readonly (StoredFile & { readonly blocks_sha256: string; readonly row_count?: number })[];
  readonly files: readonly StoredFile[];
}

type SetFields = { readonly [Name in keyof Fields]?: z.infer<Fields[Name]> };

/** The part of a manifest that names its sets; what a server sends lacks some of them. */
export type NamedSets = Omit<StoredSet, 'set'> & SetFields;

/** The sets that a manifest names. */
export function storedSets(manifest: NamedSets): readonly StoredSet[] {
  const beside = SETS_BESIDE.flatMap((set): StoredSet[] => {
    const stored = manifest[set.name];
    if (stored === undefined) return [];
    const files = [{ name: set.report, ...stored.report }];
    if ('tables' in stored) return [{ set, tables: [...stored.tables, ...(stored.later ?? [])], files }];
    const { version: _version, report: _report, ...table } = stored;
    return [{ set, tables: set.tables.map(({ name }) => ({ name, ...table })), files }];
  });
  return [{ set: REPORTING, tables: manifest.tables, files: manifest.files }, ...beside];
}

/** The same, those first that are served. */
export function servedFirst(manifest: NamedSets): readonly StoredSet[] {
  return storedSets(manifest).toSorted((a, b) => Number(b.set.served) - Number(a.set.served));
}

/** The inverse of `storedSets`: the fields of the sets beside the reporting tables. */
export function setFields(sets: readonly StoredSet[]): SetFields {
  return Object.fromEntries(
    sets.map(({ set, tables, files }) => {
      const [{ name: _, ...stored } = { name: '' }] = files;
      if (set.version === undefined) {
        const all = tables.map(({ row_count: _rows, ...table }) => table);
        const isLater = ({ name }: { readonly name: string }): boolean => set.later?.includes(name) ?? false;
        const later = all.filter(isLater);
        const first = all.filter((table) => !isLater(table));
        return [set.name, { tables: first, ...(later.length > 0 && { later }), report: stored }];
      }
      const [{ name: _table, ...table } = { name: '' }] = tables;
      return [set.name, { version: set.version, ...table, report: stored }];
    }),
  );
}

export function namesDiffer(entries: readonly { readonly name: string }[]): boolean {
  return new Set(entries.map((entry) => entry.name)).size === entries.length;
}
