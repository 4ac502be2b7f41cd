/** The usual way in Node: all rows as objects of pg, a vector of each column, one table, one write. */
import { writeFile } from 'node:fs/promises';
import {
  Bool,
  type DataType,
  Float64,
  Int32,
  Int64,
  Table as ArrowTable,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { Compression, Table as WasmTable, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm';
import type { Client } from 'pg';
import type { FieldKind } from '../../../src/fields.ts';
import type { Table } from '../../../src/tables/table.ts';

// Days and instants go as the number or text they come as: cheaper than the types we write, in the peer's favour.
const TYPES: Readonly<Record<FieldKind, () => DataType>> = {
  string: () => new Utf8(),
  text: () => new Utf8(),
  json: () => new Utf8(),
  integer: () => new Int32(),
  number: () => new Float64(),
  boolean: () => new Bool(),
  date: () => new Utf8(),
  timestamp: () => new Int64(),
  id: () => new Int64(),
  cents: () => new Int64(),
};

/** Writes the table's file from rows that are all held at once. */
export async function buildFromRows(
  reader: Client,
  select: string,
  table: Table,
  file: string,
): Promise<void> {
  const { rows } = await reader.query<Record<string, unknown>>(select);
  const vectors = Object.fromEntries(
    table.columns.map(({ name, kind }) => [
      name,
      vectorFromArray(
        rows.map((row) => row[name]),
        TYPES[kind](),
      ),
    ]),
  ) as Record<string, Vector>; // vectorFromArray's own type follows that of the data
  const arrow = WasmTable.fromIPCStream(tableToIPC(new ArrowTable(vectors), 'stream'));
  const properties = new WriterPropertiesBuilder().setCompression(Compression.ZSTD).build();
  await writeFile(file, writeParquet(arrow, properties));
}
