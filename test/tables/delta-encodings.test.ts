/** The article on the fourteen tables names each column that is written with a delta encoding, for readers that lack these. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { TABLES } from '../../src/tables/all.ts';
import { COMPANIONS } from '../../src/tables/companions.ts';
import { FOCUS } from '../../src/tables/focus.ts';
import { SUM_TABLES } from '../../src/tables/sums.ts';

const ARTICLE = new URL('../../docs/articles/reporting-tables.md', import.meta.url);

const deltaColumns = ({ columns }: (typeof TABLES)[number]) =>
  columns.filter(({ encoding }) => encoding === 'delta').map(({ name }) => name);

it('the article names the columns of each file that have a delta encoding', async () => {
  const [, table = ''] = (await readFile(ARTICLE, 'utf8')).split(
    '| file | columns with a delta encoding |\n',
  );
  const named = table
    .split('\n\n', 1)[0]
    ?.split('\n')
    .slice(1)
    .flatMap((line) => {
      const [files = '', columns = ''] = line.split(' | ');
      return names(files).map((file) => [file, names(columns)] as const);
    });
  const declared = [...TABLES, FOCUS].map((file) => [file.name, deltaColumns(file)] as const);
  expect(Object.fromEntries(named ?? [])).toEqual(Object.fromEntries(declared));
});

it('companion tables have no delta encoding', () => {
  expect(Object.values(COMPANIONS).flatMap(deltaColumns)).toEqual([]);
});

it('the sums by month have each amount as its difference to the row before', () => {
  const amounts = Object.values(SUM_TABLES).flatMap(({ columns }) =>
    columns.filter(({ kind }) => kind === 'cents').map(({ name, encoding }) => [name, encoding]),
  );
  // Six amounts by month, and the amount that is not settled.
  expect(amounts).toHaveLength(7);
  expect(new Set(amounts.map(([, encoding]) => encoding))).toEqual(new Set(['delta']));
});

function names(cell: string): readonly string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}
