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

const INITIATIVE = 'initiative_id';
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

/** The initiatives for which so many rows are looked up; further ones stay without a title. */
const MAX_LOOKED_UP = 50_000;

/** A sheet of changes. */
export interface ChangesSheet extends Sheet {
  /** The initiatives of the rows with these ids, by id: the comparison of a changed row has only the columns that differ. */
  readonly initiativesOf: (table: Table, ids: readonly bigint[]) => Promise<ReadonlyMap<bigint, bigint>>;
}

/** One side of a column. */
interface Side {
  readonly column: Column;
  readonly of: 'before' | 'after';
}

/** A larger comparison has all columns, and no initiatives: nothing would be sent until its rows were read once. */
const SURVEYED_ROWS = 200_000;

/**
 * The lines of these tables, in published order; with a sheet as people read them, and safe for a spreadsheet. A sheet has only the
 * columns in which a line has a value: a spreadsheet cannot show a hundred empty ones.
 */
export async function* changesCsv(
  diff: SnapshotDiff,
  tables: readonly Table[],
  sheet: ChangesSheet | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const changed = diff.tables
    .filter(({ name }) => tables.some((each) => each.name === name))
    .reduce((sum, each) => sum + each.added + each.removed + each.changed, 0);
  const surveyed = sheet === undefined || changed > SURVEYED_ROWS ? null : await survey(diff, tables, sheet);
  const sides = columnsOf(tables).flatMap((column) =>
    (['before', 'after'] as const)
      .map((of): Side => ({ column, of }))
      .filter((side) => surveyed?.filled.has(nameOf(side)) !== false),
  );
  let text = headLine(headsOf(sides, sheet), sheet !== undefined);
  let lines = 0;
  for (const { name } of tables) {
    for await (const change of changesOf(diff, name)) {
      text += `${lineOf(change, { sides, sheet, looked_up: surveyed?.initiatives })}\r\n`;
      lines += 1;
      if (lines % PIECE_LINES !== 0) continue;
      yield encoder.encode(text);
      text = '';
    }
  }
  if (text !== '') yield encoder.encode(text);
}

/** What only a look at all lines shows: the sides with a value, and the initiatives that the comparison does not name. */
interface Surveyed {
  readonly filled: ReadonlySet<string>;
  /** By table and key. */
  readonly initiatives: ReadonlyMap<string, bigint>;
}

async function survey(
  diff: SnapshotDiff,
  tables: readonly Table[],
  { initiativesOf: lookUp }: ChangesSheet,
): Promise<Surveyed> {
  const filled = new Set<string>();
  const initiatives = new Map<string, bigint>();
  for (const table of tables) {
    const unnamed: bigint[] = [];
    const hasInitiative = table.columns.some(({ name }) => name === INITIATIVE) && table.key.length === 1;
    for await (const change of changesOf(diff, table.name)) {
      for (const side of ['before', 'after'] as const) {
        for (const [name, value] of Object.entries(change[side] ?? {}))
          if (value !== null) filled.add(`${name} ${side}`);
      }
      if (hasInitiative && unnamed.length < MAX_LOOKED_UP && initiativesOf(change).length === 0)
        unnamed.push(BigInt(keyOf(change)));
    }
    if (unnamed.length === 0) continue;
    for (const [id, initiative] of await lookUp(table, unnamed))
      initiatives.set(`${table.name} ${id}`, initiative);
  }
  return { filled, initiatives };
}

function nameOf({ column, of }: Side): string {
  return `${column.name} ${of}`;
}

function keyOf({ key }: Change): string {
  return Object.values(key).map(String).join(' ');
}

/** Every column that may differ, each once. */
function columnsOf(tables: readonly Table[]): readonly Column[] {
  const differing = tables.flatMap(({ columns, key }) =>
    columns.filter(({ name }) => name !== 'snapshot_id' && !key.includes(name)),
  );
  return [...new Map(differing.toReversed().map((column) => [column.name, column])).values()].toReversed();
}

function headsOf(sides: readonly Side[], sheet: Sheet | undefined): readonly string[] {
  const heads = sides.map(({ column, of }) => {
    if (sheet === undefined) return `${column.name}_${of}`;
    const isId = namesIn(column, sheet.names) !== null;
    return textCell(`${sheet.headOf(column)}${isId ? ' id' : ''} ${of}`, true);
  });
  return [...(sheet === undefined ? FACTS : SHEET_FACTS), ...heads];
}

interface LineOf {
  readonly sides: readonly Side[];
  readonly sheet: Sheet | undefined;
  readonly looked_up: Surveyed['initiatives'] | undefined;
}

function lineOf(change: Change, { sides, sheet, looked_up }: LineOf): string {
  const { table, effects } = change;
  const { cost, cash_value, net_value, freed_capacity } = sumEffects(effects);
  const cents = (effect: bigint): string =>
    sheet === undefined ? String(effect) : decimalText(effect, CENT_DIGITS);
  const found = looked_up?.get(`${table} ${keyOf(change)}`);
  const initiatives = found === undefined ? initiativesOf(change) : [String(found)];
  const titles = initiatives.map((id) => sheet?.names.initiatives.get(BigInt(id)) ?? '');
  return [
    table,
    textCell(keyOf(change), sheet !== undefined),
    change.change,
    change.reason ?? '',
    initiatives.join(' '),
    ...(sheet === undefined ? [] : [textCell(titles.join('; '), true)]),
    // A row of another table moves no figure by itself.
    ...(change.reason === null ? ['', '', '', ''] : [cost, cash_value, net_value, freed_capacity].map(cents)),
    ...sides.map(({ column, of }) => cellOf(change[of]?.[column.name] ?? null, column, sheet)),
  ].join(',');
}

/** The initiatives whose figures the row changed; without effects the initiative that the row names. */
function initiativesOf({ effects, before, after, key }: Change): readonly (number | string)[] {
  if (effects.length > 0) return [...new Set(effects.map(({ initiative_id }) => initiative_id))];
  const named = after?.[INITIATIVE] ?? before?.[INITIATIVE] ?? key[INITIATIVE] ?? null;
  return named === null ? [] : [String(named)];
}

function cellOf(value: Cells[string], { kind, decimals }: Column, sheet: Sheet | undefined): string {
  if (value === null) return '';
  if (sheet === undefined) return typeof value === 'string' ? textCell(value, false) : String(value);
  if (kind === 'cents' && decimals === undefined) return decimalText(BigInt(value), CENT_DIGITS);
  if (kind === 'timestamp') return sheetMoment(String(value));
  return typeof value === 'string' ? textCell(value, true) : String(value);
}
