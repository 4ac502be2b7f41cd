/**
 * Changed rows as CSV (RFC 4180, UTF-8), one line for each: how and why it changed, what it did to the figures of all
 * time, and each column before and after. A column that did not change is empty on both sides.
 */
import type { Cells, Change } from '../../diff/change.ts';
import { changesOf, type SnapshotDiff } from '../../diff/diff-cache.ts';
import { sumEffects } from '../../figures/waterfall.ts';
import { headLine, textCell } from '../../snapshot/read/table-csv.ts';
import type { Table } from '../../tables/table.ts';

/** Lines in one piece of the answer. */
const PIECE_LINES = 256;
/** What each line begins with. */
const FACTS = [
  'table',
  'key',
  'change',
  'reason',
  'initiative_id',
  'cost_effect_cents',
  'cash_value_effect_cents',
  'net_value_effect_cents',
  'freed_capacity_effect_cents',
] as const;

/** The lines of these tables, in published order; with `forSpreadsheets` as a spreadsheet opens them safely. */
export async function* changesCsv(
  diff: SnapshotDiff,
  tables: readonly Table[],
  forSpreadsheets: boolean,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const columns = columnsOf(tables);
  const names = columns.flatMap((name) => [`${name}_before`, `${name}_after`]);
  let text = headLine([...FACTS, ...names], forSpreadsheets);
  let lines = 0;
  for (const { name } of tables) {
    for await (const change of changesOf(diff, name)) {
      text += `${lineOf(change, columns, forSpreadsheets)}\r\n`;
      lines += 1;
      if (lines % PIECE_LINES !== 0) continue;
      yield encoder.encode(text);
      text = '';
    }
  }
  if (text !== '') yield encoder.encode(text);
}

/** Every column that may differ, each once. */
function columnsOf(tables: readonly Table[]): readonly string[] {
  const differing = tables.flatMap(({ columns, key }) =>
    columns.map(({ name }) => name).filter((name) => name !== 'snapshot_id' && !key.includes(name)),
  );
  return [...new Set(differing)];
}

function lineOf(change: Change, columns: readonly string[], forSpreadsheets: boolean): string {
  const { table, key, before, after, effects } = change;
  const { cost, cash_value, net_value, freed_capacity } = sumEffects(effects);
  const cell = (cells: Cells | null, name: string): string => cellOf(cells?.[name] ?? null, forSpreadsheets);
  return [
    table,
    textCell(Object.values(key).map(String).join(' '), forSpreadsheets),
    change.change,
    change.reason ?? '',
    initiativesOf(change).join(' '),
    // A row of another table moves no figure by itself.
    ...(change.reason === null ? ['', '', '', ''] : [cost, cash_value, net_value, freed_capacity]),
    ...columns.flatMap((name) => [cell(before, name), cell(after, name)]),
  ].join(',');
}

/** The initiatives whose figures the row changed; without effects the initiative that the row names. */
function initiativesOf({ effects, before, after }: Change): readonly (number | string)[] {
  if (effects.length > 0) return [...new Set(effects.map(({ initiative_id }) => initiative_id))];
  const named = after?.['initiative_id'] ?? before?.['initiative_id'] ?? null;
  return named === null ? [] : [String(named)];
}

function cellOf(value: Cells[string], forSpreadsheets: boolean): string {
  if (value === null) return '';
  return typeof value === 'string' ? textCell(value, forSpreadsheets) : String(value);
}
