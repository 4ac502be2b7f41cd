import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './all.ts';
import { SIGN_IN_RULES } from './sign-in-rules.ts';
import { type Mutant, mutate, TOP } from './mutant.ts';

describe('the mutants', () => {
  it('are many enough to have one for each safety rule', () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(40);
  });

  it('name their rule, and test files that are there', () => {
    const unnamed = MUTANTS.filter(
      ({ rule, caughtBy = [], schedules }) =>
        rule === '' || (caughtBy.length === 0) === (schedules === undefined),
    );
    const missing = MUTANTS.flatMap(({ caughtBy = [] }) => caughtBy).filter(
      (file) => !existsSync(`${TOP}${file}`),
    );
    expect([unnamed, missing]).toEqual([[], []]);
  });

  it('take each rule of the sign-in of assistants out in two ways at least', () => {
    const ofAssistants = MUTANTS.filter(({ rule }) => rule.endsWith('(assistants)')).map(({ name }) => name);
    const known = new Set(MUTANTS.map(({ name }) => name));
    const lacking = Object.entries(SIGN_IN_RULES).filter(
      ([, names]) => new Set(names).size < 2 || names.some((name) => !known.has(name)),
    );
    expect(lacking).toEqual([]);
    const listed = new Set(Object.values(SIGN_IN_RULES).flat());
    expect(ofAssistants.filter((name) => !listed.has(name))).toEqual([]);
  });

  it('have unique names', () => {
    const names = MUTANTS.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('find the text that they replace exactly once: a rule that moved takes its mutant along', () => {
    expect(MUTANTS.filter((mutant) => mutate(TOP, mutant) === null).map(({ name }) => name)).toEqual([]);
  });

  it('change the file that they name', () => {
    const idle = MUTANTS.filter(({ edits }) => edits.some(({ find, replace }) => find === replace));
    expect(idle.map(({ name }) => name)).toEqual([]);
  });

  it('are stale once the replaced text is gone, stands there twice, or lost its file', () => {
    const stale = [
      removing('package.json', 'stands nowhere'),
      removing('package.json', '"'),
      removing('gone.json', 'stands nowhere'),
    ];
    expect(stale.map((mutant) => mutate(TOP, mutant))).toEqual([null, null, null]);
  });
});

function removing(file: string, find: string): Mutant {
  return { name: 'one', rule: 'one', edits: [{ file, find, replace: '' }] };
}
