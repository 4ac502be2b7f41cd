/** Reads and changes fields of decoded structures; throws a RangeError for a field that is missing or of another type. */
import { type List, STRUCT, type Struct, type Value } from './thrift.ts';

/** A whole number of a structure. */
export function numberIn(struct: Struct, id: number): number {
  return optionalNumber(struct, id) ?? lacks(id);
}

/** A whole number of a structure; undefined if it is missing. */
export function optionalNumber(struct: Struct, id: number): number | undefined {
  const value = struct.get(id)?.value;
  return value === undefined || typeof value === 'number' ? value : lacks(id);
}

/** A structure in a structure. */
export function structIn(struct: Struct, id: number): Struct {
  return asStruct(struct.get(id)?.value, id);
}

/** The structures of a list. */
export function structsIn(struct: Struct, id: number): readonly Struct[] {
  const value = struct.get(id)?.value;
  return isList(value) ? value.values.map((each) => asStruct(each, id)) : lacks(id);
}

/** The texts of a list. */
export function textsIn(struct: Struct, id: number): readonly string[] {
  const value = struct.get(id)?.value;
  if (!isList(value)) return lacks(id);
  return value.values.map((each) => (each instanceof Uint8Array ? Buffer.from(each).toString() : lacks(id)));
}

/** A copy of a structure with other values in fields that it has. */
export function withValues(struct: Struct, values: Readonly<Record<number, number | Struct>>): Struct {
  const copy = new Map(struct);
  for (const [id, value] of Object.entries(values)) {
    const { type } = struct.get(Number(id)) ?? lacks(Number(id));
    copy.set(Number(id), { type, value });
  }
  return copy;
}

/** A copy of a structure with other structures in a list that it has. */
export function withStructs(struct: Struct, id: number, values: readonly Struct[]): Struct {
  const field = struct.get(id);
  if (field === undefined || !isList(field.value)) return lacks(id);
  return new Map(struct).set(id, { ...field, value: { type: STRUCT, values } });
}

function isList(value: Value | undefined): value is List {
  return typeof value === 'object' && !(value instanceof Map) && !(value instanceof Uint8Array);
}

function asStruct(value: Value | undefined, id: number): Struct {
  return value instanceof Map ? (value as Struct) : lacks(id);
}

function lacks(id: number): never {
  throw new RangeError(`lacks field ${id}, or has it of another type`);
}
