import { makeBatch, type Batch } from '../../src/parquet/batch.ts';
import { CopyDecoder } from '../../src/parquet/copy-decoder.ts';
import { everyKind, everyKindColumns } from './every-kind.ts';

/** Decodes pieces of a stream of every kind, which must fit one batch, and ends it. */
export function decodeEveryKind(pieces: readonly Uint8Array[]): Batch {
  const decoder = new CopyDecoder(everyKind, everyKindColumns);
  const batch = makeBatch(everyKindColumns);
  for (const piece of pieces) {
    decoder.add(piece);
    if (decoder.fill(batch)) throw new Error('the stream does not fit one batch');
  }
  decoder.end();
  if (decoder.rows !== batch.rows) throw new Error(`${decoder.rows} rows, ${batch.rows} in the batch`);
  return batch;
}
