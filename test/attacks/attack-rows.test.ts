import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ATTACK_ROWS } from './attack-rows.ts';

const TESTS = fileURLToPath(new URL('../', import.meta.url));
const LAST = 57;
/** A title, or the rows of a campaign: quoted, and begun with the id or a list of them. */
const NAMED = /['"`](?:A-\d+)(?:, A-\d+)*(?=[:'"`])/g;

/** The rows that a file says it shows. */
function shownIn(file: string): string[] {
  const text = readFileSync(`${TESTS}${file}`, 'utf8');
  return [...new Set([...text.matchAll(NAMED)].flatMap(([named]) => named.match(/A-\d+/g) ?? []))];
}

describe('the attack matrix', () => {
  it('has a row for each attack, in order', () => {
    const ids = Array.from({ length: LAST }, (_, at) => `A-${at + 1}`);
    expect(ATTACK_ROWS.map(({ id }) => id)).toEqual(ids);
  });

  it.each(ATTACK_ROWS)('$id ($attack) is shown by tests that name it', ({ id, shownBy }) => {
    expect(shownBy.length).toBeGreaterThan(0);
    expect(shownBy.filter((file) => !shownIn(file).includes(id))).toEqual([]);
  });

  it('lists every test that says it shows a row', () => {
    const files = globSync(['**/*.test.ts', 'chaos/campaigns/*.ts'], { cwd: TESTS }).filter(
      (file) => file !== 'attacks/attack-rows.test.ts',
    );
    const said = files.flatMap((file) => shownIn(file).map((id) => `${id} ${file}`));
    const listed = ATTACK_ROWS.flatMap(({ id, shownBy }) => shownBy.map((file) => `${id} ${file}`));
    expect(said.toSorted()).toEqual(listed.toSorted());
  });
});
