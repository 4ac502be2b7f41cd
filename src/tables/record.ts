/**
 * How a record of the read API is declared: its fields in the order of answers. Its columns, the type of its rows, its select,
 * its component of the contract, its JSON, its companion table and the audit of that table follow from the declaration.
 */
import { type Column, column, type Declared, type DeclaredKind, type Table, type ValueOf } from './table.ts';

/** How records come to be. */
export const SOURCES = ['manual', 'assistant', 'csv', 'calculated', 'integration', 'system'] as const;

interface FieldOptions {
  /** All values of the field, if the contract lists them. */
  readonly values?: readonly string[];
  /** The SQL of its values; the column of the same name if omitted. */
  readonly from?: string;
  /** Its name in answers; that of its column if omitted. */
  readonly shown?: string;
  /** True: the contract allows null, although the column is never empty. */
  readonly or_null?: true;
}

/** A field with a column of its name, or a field that is computed from the columns of the row. */
export interface PlainField<
  Is extends 'column' | 'computed' = 'column' | 'computed',
  Kind extends DeclaredKind = DeclaredKind,
  Options = FieldOptions,
> {
  readonly is: Is;
  /** With `?` at its end if it may be null. */
  readonly kind: Kind;
  readonly description: string;
  readonly options: Options;
}

type NoOptions = object;

/** A person: the columns of the field's name with `_id` and `_name`. */
interface PersonField {
  readonly is: 'person';
  readonly description: string;
}

/** Where a record came from: the columns `source_type`, `source_ref` and `connection_id`. */
interface SourceField<Kind extends DeclaredKind = DeclaredKind, Options = SourceOptions> {
  readonly is: 'source';
  readonly kind: Kind;
  readonly options: Options;
}

/** The SQL of `source_type`, if that is not the column itself. */
type SourceOptions = Pick<FieldOptions, 'from'>;

export type RecordField = PlainField | PersonField | SourceField;

/** A field with a column of its own. */
export function field<Kind extends DeclaredKind, const Options extends FieldOptions = NoOptions>(
  kind: Kind,
  description: string,
  options?: Options,
): PlainField<'column', Kind, NoInfer<Options>> {
  return { is: 'column', kind, description, options: options ?? ({} as Options) }; // without options there are none
}

/** A field that is computed from the columns of the row. */
export function computed<Kind extends DeclaredKind>(
  kind: Kind,
  description: string,
): PlainField<'computed', Kind, NoOptions> {
  return { is: 'computed', kind, description, options: {} };
}

export function person(description: string): PersonField {
  return { is: 'person', description };
}

export function source<Kind extends DeclaredKind, const Options extends SourceOptions = NoOptions>(
  kind: Kind,
  options?: Options,
): SourceField<Kind, NoInfer<Options>> {
  return { is: 'source', kind, options: options ?? ({} as Options) }; // without options there are none
}

type Fields = Readonly<Record<string, RecordField>>;

type ColumnsOf<Of extends Fields> = {
  [Name in keyof Of & string]: Of[Name] extends PlainField<'column', infer Kind, infer Options>
    ? Declared<Name, Kind, Options>
    : Of[Name] extends PersonField
      ? Declared<`${Name}_id`, 'id?', unknown> | Declared<`${Name}_name`, 'string?', unknown>
      : Of[Name] extends SourceField<infer Kind, infer Options>
        ?
            | Declared<'source_type', Kind, Options & { readonly values: typeof SOURCES }>
            | Declared<'source_ref', 'string?', unknown>
            | Declared<'connection_id', 'id?', unknown>
        : never;
}[keyof Of & string];

/** The reporting table with some of the same rows. The audit compares the columns that both have. */
export interface Counterpart {
  readonly table: Table;
  /** The condition on a record that the table has; it has all if omitted. */
  readonly rows?: string;
  /** The SQL of what counts as an empty value, by column. */
  readonly empty?: Readonly<Record<string, string>>;
}

interface Declaration<Own extends Fields> {
  /** The name of its list, and the path. */
  readonly name: string;
  /** Its name in the contract, such as `CostEntry`. */
  readonly component: string;
  /** What it is, as one sentence. */
  readonly description: string;
  /** The table or view with a row for each, of every account. */
  readonly view: string;
  /** The condition on the rows that snapshots have; they have all if omitted. */
  readonly frozen?: string;
  readonly counterpart?: Counterpart;
  /** By their names in the order of answers. */
  readonly fields: Own;
}

/** A declared record. */
export interface ApiRecord<
  Own extends Fields = Fields,
  Each extends Column = Column,
> extends Declaration<Own> {
  /** In the order of the fields. */
  readonly columns: readonly Each[];
}

/** The columns of a record. */
export type RecordColumn<Of extends ApiRecord> = Of['columns'][number];

/** A row of a record by the names of its columns; JSON is parsed. */
export type RecordRow<Of extends ApiRecord> = {
  readonly [Each in RecordColumn<Of> as Each['name']]: Each['kind'] extends 'json'
    ? readonly string[]
    : ValueOf<Each>;
};

/** Declares a record. */
export function defineRecord<Own extends Fields, const Given extends Declaration<Own>>(
  declaration: Given & { readonly fields: Own },
): Given & ApiRecord<Own, ColumnsOf<Own>> {
  const columns = Object.entries(declaration.fields).flatMap(([name, each]) => columnsOf(name, each));
  return { ...declaration, columns: columns as ColumnsOf<Own>[] }; // as `ColumnsOf` says
}

function columnsOf(name: string, each: RecordField): readonly Column[] {
  if (each.is === 'person') return [column(`${name}_id`, 'id?', ''), column(`${name}_name`, 'string?', '')];
  if (each.is === 'source') {
    return [
      column('source_type', each.kind, '', { ...each.options, values: SOURCES }),
      column('source_ref', 'string?', ''),
      column('connection_id', 'id?', ''),
    ];
  }
  return each.is === 'column' ? [column(name, each.kind, each.description, each.options)] : [];
}
