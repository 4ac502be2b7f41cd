/** Parquet of texts, made in this process: a campaign writes thousands of such files. */
import { Table, Utf8, tableToIPC, vectorFromArray } from 'apache-arrow';
import { Table as WasmTable, writeParquet } from 'parquet-wasm';

/** The rows as columns of text; an empty cell is null. */
export function parquetOf(header: readonly string[], rows: readonly (readonly string[])[]): Buffer {
  const columns = header.map((name, index) => {
    const texts = rows.map((cells) => (cells[index] === '' ? null : (cells[index] ?? null)));
    return [name, vectorFromArray(texts, new Utf8())] as const;
  });
  return Buffer.from(
    writeParquet(WasmTable.fromIPCStream(tableToIPC(new Table(Object.fromEntries(columns)), 'stream'))),
  );
}
