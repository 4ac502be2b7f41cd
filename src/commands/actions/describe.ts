/** The action of `crossfoot load --describe`: prints which columns a file of a ledger table may have, and what each holds. */
import { CrossfootError } from '../../errors.ts';
import { readCatalogue } from '../../ledger/staging/catalogue.ts';
import type { LoadTable } from '../../ledger/staging/load-table.ts';
import { describeColumns } from '../../ledger/load/describe.ts';
import { nearestOf } from '../../ledger/sources/nearest.ts';
import { withOwner } from '../../run/as-owner.ts';
import type { CommandContext } from '../../run/context.ts';
import { aligned } from '../terminal/aligned.ts';

/** Prints the columns of the table; without a name, the needed columns of every table. */
export async function describeTables(name: string | null, context: CommandContext): Promise<void> {
  const tables = await withOwner(context, 'crossfoot load', readCatalogue);
  if (name === null) {
    for (const line of aligned(tables.map(neededColumns))) context.print(line);
    context.say('npx --no crossfoot load --describe <table> says what each column holds.');
    return;
  }
  for (const line of linesOf(tableNamed(tables, name))) context.print(line);
}

function tableNamed(tables: readonly LoadTable[], name: string): LoadTable {
  const wanted = name.replace(/\.csv$/, '');
  const found = tables.find((table) => table.name === wanted);
  if (found !== undefined) return found;
  const nearest = nearestOf(
    wanted,
    tables.map((table) => table.name),
  );
  throw new CrossfootError('usage_invalid', `There is no table ${wanted} that can be loaded.`, {
    hint:
      nearest === null ? 'npx --no crossfoot load --describe lists all of them.' : `Did you mean ${nearest}?`,
  });
}

function neededColumns(table: LoadTable): readonly string[] {
  const needed = describeColumns(table).filter(({ need }) => need.startsWith('needed'));
  return [`${table.name}.csv`, needed.map(({ name }) => name).join(', ')];
}

function linesOf(table: LoadTable): readonly string[] {
  const lines = describeColumns(table).flatMap(({ name, meaning, need, allowed, example }) => [
    `${name} (${need})`,
    ...(meaning === '' ? [] : [`    ${meaning}.`]),
    `    ${allowed}; for example ${example}`,
  ]);
  return [`${table.name}.csv, in any order of columns:`, ...lines];
}
