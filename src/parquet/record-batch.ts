/** Moves one batch into the memory of the Parquet library. */
import { type RecordBatch, Table } from 'parquet-wasm';
import { freeBytes } from './free-bytes.ts';

/**
 * Copies the one record batch of an Arrow IPC stream into WebAssembly memory, and frees the bytes of the stream. The caller
 * frees the record batch, or gives it to the writer, which does.
 * @throws Error if the stream holds no record batch, or several.
 */
export function toRecordBatch(stream: Uint8Array): RecordBatch {
  const table = Table.fromIPCStream(stream);
  freeBytes(stream);
  const [records, ...more] = table.recordBatches();
  table.free();
  if (records === undefined || more.length > 0) throw new Error('one batch did not come out as one');
  return records;
}
