/**
 * `control.json`: the control totals as they are published. One JSON object, written with a line for each row, so that an
 * engine reads a line at a time: read as one value, totals of a large account were more than it takes in one piece.
 */
import type { ControlRow } from '../../ledger/moment/control.ts';
import { canonicalText } from '../format/canonical-json.ts';

/** Enough to be worth a write to a file, little enough to hold. */
const PIECE_CHARACTERS = 65_536;

/** The file's bytes, piece by piece; the same rows are the same bytes. */
export async function* encodeControl(
  rows: AsyncIterable<ControlRow> | Iterable<ControlRow>,
): AsyncGenerator<Uint8Array> {
  // `schema/audit` looks for these line breaks.
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
