/** One value of a staged table, changed: what a wrong view, a slipped row or a rotten disk could have made of it. */
import type { Column } from '../../../src/tables/table.ts';
import type { Chance } from '../chance.ts';

export interface SpoiledCell {
  readonly how: string;
  /** What stands there instead, as SQL of a row that has the column. */
  readonly sql: string;
}

/** A way to spoil a cell of that column, given SQL for the value of another row; it may come to the same value. */
export function spoilCell({ name, kind, nullable }: Column, other: string, chance: Chance): SpoiledCell {
  const was = `"${name}"`;
  if (nullable && chance.happens(0.1)) return { how: 'emptied', sql: 'null' };
  if (chance.happens(0.2)) return { how: "another row's", sql: other };
  switch (kind) {
    case 'cents':
      return chance.oneOf([
        { how: 'a cent more', sql: `${was} + 1` },
        { how: 'a cent less', sql: `${was} - 1` },
        { how: 'its sign turned', sql: `-${was}` },
        { how: 'digits swapped', sql: `${was} + 9 * (1 + ${chance.below(9)})` },
        { how: 'a bit flipped', sql: `xor(${was}, 1::bigint << ${chance.below(40)})` },
      ]);
    case 'id':
    case 'integer':
      return chance.oneOf([
        { how: 'one more', sql: `${was} + 1` },
        { how: 'one less', sql: `${was} - 1` },
        { how: 'far off', sql: `${was} + ${1_000 + chance.below(1_000_000)}` },
      ]);
    case 'number':
      return chance.oneOf([
        { how: 'a millionth more', sql: `${was} * 1.000001` },
        { how: 'one more', sql: `${was} + 1` },
        { how: 'its sign turned', sql: `-${was}` },
      ]);
    case 'boolean':
      return { how: 'turned', sql: `not ${was}` };
    case 'date':
      return { how: 'a day off', sql: `${was} + ${chance.oneOf([-1, 1, 31])}` };
    case 'timestamp':
      return chance.oneOf([
        { how: 'a microsecond off', sql: `make_timestamptz(epoch_us(${was}) + 1)` },
        { how: 'a day off', sql: `make_timestamptz(epoch_us(${was}) - 86400000000)` },
      ]);
    case 'json':
    case 'string':
    case 'text':
      return chance.oneOf([
        { how: 'longer', sql: `${was} || '${chance.oneOf(['x', ' ', '0'])}'` },
        { how: 'cut', sql: `left(${was}, -1)` },
        { how: 'in capitals', sql: `upper(${was})` },
      ]);
  }
}
