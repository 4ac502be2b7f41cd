/**
 * The packed layout: what only servers read shares one object, so that the night of a small account asks its store a third as
 * often. The tables of the contract, the FOCUS file, the manifest and its signatures stay objects of their own, because people
 * read them in the bucket. The manifest lists the packed files in their order; each is read by its range, and checked by the
 * digest that it has in either layout.
 */
import { z } from 'zod';
import { tableInSet } from '../../tables/file-sets.ts';
import { tableFile } from './keys.ts';

/** The name of the shared object. */
export const PACK_FILE = 'rest.pack';

/** The field of a manifest: the packed files, one after the other. */
export const packedFiles = z
  .array(
    z.object({
      name: z
        .string()
        .regex(/^[a-z][a-z_]{0,60}(?:\.[a-z]{1,12}){1,3}$/)
        .refine(isPacked, 'is an object of its own'),
      size_bytes: z.int().min(0),
    }),
  )
  .min(1)
  .optional();

export type PackedFiles = NonNullable<z.infer<typeof packedFiles>>;

/** True for a file that the packed layout packs. */
export function isPacked(file: string): boolean {
  const [name = ''] = file.split('.', 1);
  if (file === tableFile(name)) return tableInSet(name)?.set.served === false;
  return file.endsWith('.blocks') || (/\.(?:json|sql)$/.test(file) && !/^(?:manifest|checked)\b/.test(file));
}

/** Where a packed file lies in the shared object. */
export interface PackedPlace {
  readonly offset: number;
  readonly size_bytes: number;
}

/** The place of each packed file, and the size of the whole object. */
export function placesIn(packed: PackedFiles): {
  readonly places: ReadonlyMap<string, PackedPlace>;
  readonly size_bytes: number;
} {
  const places = new Map<string, PackedPlace>();
  let offset = 0;
  for (const { name, size_bytes } of packed) {
    places.set(name, { offset, size_bytes });
    offset += size_bytes;
  }
  return { places, size_bytes: offset };
}
