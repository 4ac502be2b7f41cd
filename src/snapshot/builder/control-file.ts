/**
 * `control.json`: the control totals as published. It is one JSON object with each row on its own line. DuckDB can then
 * read it line by line: as one JSON value, the totals of a large account exceed DuckDB's limit.
 */
import type { ControlRow } from '../../ledger/moment/control.ts';
import { canonicalText } from '../format/canonical-json.ts';

/** Large enough to be worth a write to the file, small enough to hold in memory. */
const PIECE_CHARACTERS = 65_536;

/** The file's bytes, piece by piece. The same rows always give the same bytes. */
export async function* encodeControl(
  rows: AsyncIterable<ControlRow> | Iterable<ControlRow>,
): AsyncGenerator<Uint8Array> {
  // `schema/audit` relies on these line breaks.
  let piece = '{"rows":[';
  let between = '\n';
  for await (const row of rows) {
    piece += between + canonicalText(row);
    between = ',\n';
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(`${piece}\n]}\n`);
}
