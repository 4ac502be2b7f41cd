/** Groups streamed rows by initiative; the rows must be sorted by ascending id. */
import { CrossfootError } from '../../errors.ts';

interface OfInitiative {
  readonly initiative_id: bigint;
}

/** Yields the adjacent rows of each initiative as one array. */
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

/**
 * Yields each group with the rows of `others` for the same initiative, or an empty array. Throws if a row of `others`
 * has no group.
 */
export async function* joinByInitiative<
  Group extends readonly [OfInitiative, ...unknown[]],
  Other extends OfInitiative,
>(
  groups: AsyncIterable<Group>,
  others: AsyncIterable<Other>,
): AsyncGenerator<readonly [Group, readonly Other[]]> {
  const otherGroups = byInitiative(others);
  let next = await otherGroups.next();
  for await (const group of groups) {
    const matching =
      next.done !== true && next.value[0].initiative_id === group[0].initiative_id ? next.value : [];
    if (matching.length > 0) next = await otherGroups.next();
    yield [group, matching];
  }
  // A row without a group would be lost silently, so it is an error.
  if (next.done !== true) {
    throw new CrossfootError(
      'initiative_missing',
      `Initiative ${next.value[0].initiative_id} has entries, but the view reporting.initiatives does not have it.`,
      { hint: 'Compare reporting.initiatives with ledger.initiatives.' },
    );
  }
}
