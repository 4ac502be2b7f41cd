/**
 * Changed rows as CSV (RFC 4180, UTF-8), one line for each: how and why it changed, what it did to the figures of all
 * time, and each column before and after. A column that did not change is empty on both sides.
 */
import type { Cells, Change } from '../../diff/change.ts';
import { changesOf, type SnapshotDiff } from '../../diff/diff-cache.ts';
import { sumEffects } from '../../figures/waterfall.ts';
import {
  CENT_DIGITS,
  decimalText,
  namesIn,
  type Sheet,
  sheetMoment,
} from '../../snapshot/read/sheet-cells.ts';
import { headLine, textCell } from '../../snapshot/read/table-csv.ts';
import type { Column, Table } from '../../tables/table.ts';

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
/** The same for people. */
const SHEET_FACTS = [
  'Table',
  'Key',
  'Change',
  'Reason',
  'Initiative id',
  'Initiative',
  'Effect on cost',
  'Effect on cash value',
  'Effect on net value',
  'Effect on freed capacity',
] as const;

/** The lines of these tables, in published order; with a sheet as people read them, and safe for a spreadsheet. */
export async function* changesCsv(
  diff: SnapshotDiff,
  tables: readonly Table[],
  sheet: Sheet | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const columns = columnsOf(tables);
  let text = headLine(headsOf(columns, sheet), sheet !== undefined);
  let lines = 0;
  for (const { name } of tables) {
    for await (const change of changesOf(diff, name)) {
      text += `${lineOf(change, columns, sheet)}\r\n`;
      lines += 1;
      if (lines % PIECE_LINES !== 0) continue;
      yield encoder.encode(text);
      text = '';
    }
  }
  if (text !== '') yield encoder.encode(text);
}

/** Every column that may differ, each once. */
function columnsOf(tables: readonly Table[]): readonly Column[] {
  const differing = tables.flatMap(({ columns, key }) =>
    columns.filter(({ name }) => name !== 'snapshot_id' && !key.includes(name)),
  );
  return [...new Map(differing.toReversed().map((column) => [column.name, column])).values()].toReversed();
}

function headsOf(columns: readonly Column[], sheet: Sheet | undefined): readonly string[] {
  const both = columns.flatMap((column) => {
    if (sheet === undefined) return [`${column.name}_before`, `${column.name}_after`];
    const isId = namesIn(column, sheet.names) !== null;
    const head = `${sheet.headOf(column)}${isId ? ' id' : ''}`;
    return [textCell(`${head} before`, true), textCell(`${head} after`, true)];
  });
  return [...(sheet === undefined ? FACTS : SHEET_FACTS), ...both];
}

function lineOf(change: Change, columns: readonly Column[], sheet: Sheet | undefined): string {
  const { table, key, before, after, effects } = change;
  const { cost, cash_value, net_value, freed_capacity } = sumEffects(effects);
  const cell = (cells: Cells | null, column: Column): string =>
    cellOf(cells?.[column.name] ?? null, column, sheet);
  const cents = (effect: bigint): string =>
    sheet === undefined ? String(effect) : decimalText(effect, CENT_DIGITS);
  const initiatives = initiativesOf(change);
  const titles = initiatives.map((id) => sheet?.names.initiatives.get(BigInt(id)) ?? '');
  return [
    table,
    textCell(Object.values(key).map(String).join(' '), sheet !== undefined),
    change.change,
    change.reason ?? '',
    initiatives.join(' '),
    ...(sheet === undefined ? [] : [textCell(titles.join('; '), true)]),
    // A row of another table moves no figure by itself.
    ...(change.reason === null ? ['', '', '', ''] : [cost, cash_value, net_value, freed_capacity].map(cents)),
    ...columns.flatMap((column) => [cell(before, column), cell(after, column)]),
  ].join(',');
}

/** The initiatives whose figures the row changed; without effects the initiative that the row names. */
function initiativesOf({ effects, before, after }: Change): readonly (number | string)[] {
  if (effects.length > 0) return [...new Set(effects.map(({ initiative_id }) => initiative_id))];
  const named = after?.['initiative_id'] ?? before?.['initiative_id'] ?? null;
  return named === null ? [] : [String(named)];
}

function cellOf(value: Cells[string], { kind, decimals }: Column, sheet: Sheet | undefined): string {
  if (value === null) return '';
  if (sheet === undefined) return typeof value === 'string' ? textCell(value, false) : String(value);
  if (kind === 'cents' && decimals === undefined) return decimalText(BigInt(value), CENT_DIGITS);
  if (kind === 'timestamp') return sheetMoment(String(value));
  return typeof value === 'string' ? textCell(value, true) : String(value);
}
