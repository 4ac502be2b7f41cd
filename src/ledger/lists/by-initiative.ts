/** Rows of many initiatives, by ascending id, as what each initiative has. */
import { CrossfootError } from '../../errors.ts';

interface OfInitiative {
  readonly initiative_id: bigint;
}

/** Rows that follow each other and are of one initiative, together. */
export async function* byInitiative<Row extends OfInitiative>(
  rows: AsyncIterable<Row>,
): AsyncGenerator<readonly [Row, ...Row[]]> {
  let group: [Row, ...Row[]] | null = null;
  for await (const row of rows) {
    if (group?.[0].initiative_id === row.initiative_id) {
      group.push(row);
    } else {
      if (group !== null) yield group;
      group = [row];
    }
  }
  if (group !== null) yield group;
}

/** Each group with the rows that its initiative has among `others`; throws when one of those has no group. */
export async function* withOwn<
  Group extends readonly [OfInitiative, ...unknown[]],
  Other extends OfInitiative,
>(
  groups: AsyncIterable<Group>,
  others: AsyncIterable<Other>,
): AsyncGenerator<readonly [Group, readonly Other[]]> {
  const ofOthers = byInitiative(others);
  let next = await ofOthers.next();
  for await (const group of groups) {
    const own =
      next.done !== true && next.value[0].initiative_id === group[0].initiative_id ? next.value : [];
    if (own.length > 0) next = await ofOthers.next();
    yield [group, own];
  }
  // Nobody would miss what is left over, so it must not be possible to leave anything.
  if (next.done !== true) {
    throw new CrossfootError(
      'initiative_missing',
      `Initiative ${next.value[0].initiative_id} has entries, and the views do not give it.`,
      { hint: 'Compare reporting.initiatives with ledger.initiatives.' },
    );
  }
}
