/**
 * `control.json`: the control totals as they are published. One JSON object, written with a line for each row, so that an
 * engine reads a line at a time: read as one value, totals of a large account were more than it takes in one piece.
 */
import type { ControlTotals } from '../ledger/control.ts';
import { encodeCanonical } from './canonical-json.ts';

/** The file's bytes; the same totals are the same bytes. */
export function encodeControl(totals: ControlTotals): Buffer {
  const rows = Object.entries(totals)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([base_table, figures]) =>
      figures.map((each, before) => encodeCanonical({ base_table, figures: each, row: before + 1 })),
    );
  const lines = rows.flatMap((row, place) => [place === 0 ? FIRST : NEXT, row]);
  return Buffer.concat([HEAD, ...lines, TAIL]);
}

// `schema/audit` looks for these line breaks.
const HEAD = Buffer.from('{"rows":[');
const FIRST = Buffer.from('\n');
const NEXT = Buffer.from(',\n');
const TAIL = Buffer.from('\n]}\n');
