/** The two forms of a list: JSON for programs, columns for people. */
import type { CommandContext } from '../../run/context.ts';
import { aligned } from './aligned.ts';
import { printJson } from './print-json.ts';

interface ListForms<Row> {
  readonly json: boolean;
  /** What `--json` prints of a row. */
  readonly asJson: (row: Row) => unknown;
  /** The cell of a row below each heading. */
  readonly columns: Readonly<Record<string, (row: Row) => string>>;
  /** What is said to a person if there is no row; null for nothing. */
  readonly none: string | null;
}

/** Prints the rows in the form that was asked for. As JSON, no row is an empty list, and nothing is said. */
export function printList<Row>(
  { print, say }: Pick<CommandContext, 'print' | 'say'>,
  rows: readonly Row[],
  { json, asJson, columns, none }: ListForms<Row>,
): void {
  const cells = Object.values(columns);
  if (json) printJson(print, rows.map(asJson));
  else if (rows.length === 0) {
    if (none !== null) say(none);
  } else {
    const lines = rows.map((row) => cells.map((cellOf) => cellOf(row)));
    for (const line of aligned([Object.keys(columns), ...lines])) print(line);
  }
}
