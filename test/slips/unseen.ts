/** Slips after which a file is as good as any other: only a person's own figures, with `--expect`, can tell. */
import type { Chance } from '../chaos/chance.ts';
import { TEXTS, type Slip, inCell, inRows, withoutBreaks } from './slip.ts';
import { type Sheet, lineOf, columnOf } from './sheet.ts';

/** An amount with another digit, or digits in another order, that is another number. */
function otherDigits(amount: string, chance: Chance, change: (digits: string, at: number) => string): string {
  const at = chance.below(amount.length);
  const changed = change(amount, at);
  return Number(changed) === Number(amount) || !/^-?\d+\.\d\d$/.test(changed) ? amount : changed;
}

const AMOUNTS: readonly Slip[] = [
  inCell('a digit is another', 'amount', (amount, chance) =>
    otherDigits(amount, chance, (all, at) => `${all.slice(0, at)}${chance.below(10)}${all.slice(at + 1)}`),
  ),
  inCell('two digits are swapped', 'amount', (amount, chance) =>
    otherDigits(
      amount,
      chance,
      (all, at) => `${all.slice(0, at)}${all[at + 1] ?? ''}${all[at] ?? ''}${all.slice(at + 2)}`,
    ),
  ),
  inCell('a digit is lost', 'amount', (amount, chance) =>
    otherDigits(amount, chance, (all, at) => `${all.slice(0, at)}${all.slice(at + 1)}`),
  ),
  inCell('a digit stands twice', 'amount', (amount, chance) =>
    otherDigits(amount, chance, (all, at) => `${all.slice(0, at + 1)}${all.slice(at)}`),
  ),
  inCell('a sign is lost', 'amount', (amount) => amount.replace('-', '')),
  inCell('a sign is added', 'amount', (amount) => (amount.startsWith('-') ? amount : `-${amount}`)),
  inCell('the point moves to the right', 'amount', (amount) => amount.replace(/\.(\d)(\d)$/, '$1.$20')),
  inCell('the point is lost', 'amount', (amount) => amount.replace('.', '')),
  inCell('the decimals are lost', 'amount', (amount) => amount.replace(/\..*$/, '.00')),
  inCell('an amount is zero', 'amount', () => '0.00'),
];

const OF_THREE = ['USD', 'EUR', 'GBP'];
const other = (currency: string, chance: Chance): string =>
  chance.oneOf(OF_THREE.filter((each) => each !== currency));

const ROWS: readonly Slip[] = [
  inRows('a row is left out', (rows, chance) => rows.toSpliced(chance.below(rows.length), 1)),
  inRows('the last row is lost', (rows) => rows.slice(0, -1)),
  inRows('all rows are lost', () => [], { forms: TEXTS, content: 'costs' }),
  inRows('a row stands twice, under another name', (rows, chance, sheet) => [
    ...rows,
    renamed(chance.oneOf(rows), sheet),
  ]),
  inRows('a row of another file is added', (rows, chance, sheet) => {
    const cells = renamed(chance.oneOf(rows), sheet).with(columnOf(sheet, 'amount'), '77.77');
    return rows.toSpliced(chance.below(rows.length), 0, cells);
  }),
  inCell('a currency is another known one', 'currency', other, { content: 'costs' }),
  inRows('all currencies are another known one', (rows, chance, sheet) => {
    const column = columnOf(sheet, 'currency');
    const becomes = other(rows[0]?.[column] ?? '', chance);
    const changed = rows.map((row) => row.with(column, becomes));
    return changed.every((row, at) => row[column] === rows[at]?.[column]) ? null : changed;
  }),
  inRows(
    'two amounts of different currencies are swapped',
    (rows, _, sheet) => {
      const [amount, currency] = [columnOf(sheet, 'amount'), columnOf(sheet, 'currency')];
      const [first] = rows;
      const at = rows.findIndex(
        (row) => row[currency] !== first?.[currency] && row[amount] !== first?.[amount],
      );
      if (first === undefined || at === -1) return null;
      const second = rows[at] ?? [];
      return rows
        .with(0, first.with(amount, second[amount] ?? ''))
        .with(at, second.with(amount, first[amount] ?? ''));
    },
    { content: 'costs' },
  ),
  {
    kind: 'a file is cut where a row ends',
    forms: [...TEXTS, 'ndjson'],
    inCells: withoutBreaks,
    inText: (text, chance, { dialect }) => {
      const lines = text.trimEnd().split(dialect.lineEnd);
      return lines.slice(0, 1 + chance.below(lines.length - 1)).join(dialect.lineEnd);
    },
  },
  {
    kind: 'a file is cut within the amount that ends its last row',
    forms: TEXTS,
    inCells: (sheet) => endingWithAmount(withoutBreaks(sheet)),
    inText: (text, _, { dialect, rows }) => {
      const last = lineOf(rows.at(-1) ?? [], { ...dialect, quotesAll: false });
      return text.slice(0, text.lastIndexOf(last) + last.length - 1);
    },
  },
];

/** The cells with another name of the row, where rows have names. */
function renamed(cells: readonly string[], { header }: Sheet): readonly string[] {
  const column = header.indexOf('source_ref');
  return column === -1 ? cells : cells.with(column, `${cells[column]}-2`);
}

/** The sheet with its amounts in the last column, in bare cells. */
function endingWithAmount(sheet: Sheet): Sheet {
  const column = columnOf(sheet, 'amount');
  const moved = (cells: readonly string[]): readonly string[] => [
    ...cells.toSpliced(column, 1),
    cells[column] ?? '',
  ];
  return {
    ...sheet,
    header: moved(sheet.header),
    rows: sheet.rows.map(moved),
    dialect: { ...sheet.dialect, quotesAll: false },
  };
}

export const UNSEEN: readonly Slip[] = [...AMOUNTS, ...ROWS];
