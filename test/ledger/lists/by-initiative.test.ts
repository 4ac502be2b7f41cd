import { expect, it } from 'vitest';
import { byInitiative, joinByInitiative } from '../../../src/ledger/lists/by-initiative.ts';

interface Row {
  readonly initiative_id: bigint;
  readonly what: string;
}

async function* rows(...ids: readonly string[]): AsyncGenerator<Row> {
  for (const id of ids) yield { initiative_id: BigInt(id[0] ?? 0), what: id };
}

const whatOf = (group: readonly Row[]): string => group.map(({ what }) => what).join(' ');

it('the rows of an initiative are grouped together', async () => {
  const groups = await Array.fromAsync(byInitiative(rows('1a', '1b', '3a')));
  expect(groups.map(whatOf)).toEqual(['1a 1b', '3a']);
});

it('each group has the rows of its initiative, which may be none', async () => {
  const pairs = await Array.fromAsync(
    joinByInitiative(byInitiative(rows('1', '2', '3')), rows('1a', '3a', '3b')),
  );
  expect(pairs.map(([group, own]) => [whatOf(group), whatOf(own)])).toEqual([
    ['1', '1a'],
    ['2', ''],
    ['3', '3a 3b'],
  ]);
});

it.each([['2a'], ['4a']])('a row of an initiative in no group is refused, not dropped: %s', async (stray) => {
  const all = Array.fromAsync(joinByInitiative(byInitiative(rows('1', '3')), rows('1a', stray)));
  await expect(all).rejects.toMatchObject({
    code: 'initiative_missing',
    message: `Initiative ${stray[0]} has entries, but the view reporting.initiatives does not have it.`,
  });
});
