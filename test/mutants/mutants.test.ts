import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './all.ts';
import { SIGN_IN_RULES } from './sign-in-rules.ts';
import { type Mutant, mutate, TOP } from './mutant.ts';
import { namedFailure, tookTooLong } from './run-tests.ts';

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

  it('change the last definition of a function: a later migration may have replaced an earlier one', () => {
    const migrations = globSync('schema/ledger/*.sql', { cwd: TOP }).toSorted();
    const replaced = MUTANTS.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit }))).filter(
      ({ file, find }) => {
        if (!migrations.includes(file)) return false;
        const changed = functionAt(readFileSync(`${TOP}${file}`, 'utf8'), find);
        const later = migrations.slice(migrations.indexOf(file) + 1);
        return later.some((each) => changed !== undefined && definitions(each).includes(changed));
      },
    );
    expect(replaced.map(({ name }) => name)).toEqual([]);
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

describe('a failed test', () => {
  it.each([
    'Test timed out in 200000ms.',
    'Hook timed out in 600000ms.',
    'Run timed out in 600000ms',
    '[vitest-pool]: Worker forks emitted error.',
    "ENOSPC: no space left on device, open '/dev/shm/crossfoot-test-1/log'",
    'could not extend file "base/5/2619": No space left on device',
  ])('says nothing of a mutant with the words: %s', (said) => {
    expect(namedFailure({ passed: 1, failures: [{ fullName: 'one', said }] })).toBeUndefined();
  });

  it('says something of a mutant if it expects a full disk and finds another error', () => {
    const said = "expected 'EACCES' to be 'ENOSPC: no space left on device'";
    expect(namedFailure({ passed: 1, failures: [{ fullName: 'one', said }] })?.said).toBe(said);
  });

  it('counts as too late only if the run has no other failure', () => {
    const late = { fullName: 'late', said: 'Test timed out in 200000ms.' };
    const wrong = { fullName: 'wrong', said: 'expected 1 to be 2' };
    expect(tookTooLong({ passed: 0, failures: [late] })).toBe(late);
    expect(tookTooLong({ passed: 0, failures: [late, wrong] })).toBeUndefined();
    expect(tookTooLong({ passed: 3, failures: [] })).toBeUndefined();
  });
});

const DEFINITION = /^create (?:or replace )?function (\S+)\(/gm;

/** The functions that a migration defines. */
function definitions(migration: string): string[] {
  return [...readFileSync(`${TOP}${migration}`, 'utf8').matchAll(DEFINITION)].map(([, name = '']) => name);
}

/** The function whose definition this text stands in; undefined if it stands in none. */
function functionAt(migration: string, text: string): string | undefined {
  const before = migration.slice(0, migration.indexOf(text));
  const [, name] = [...before.matchAll(DEFINITION)].at(-1) ?? [];
  return before.slice(before.lastIndexOf(`function ${name}(`)).includes('end $$;') ? undefined : name;
}

function removing(file: string, find: string): Mutant {
  return { name: 'one', rule: 'one', edits: [{ file, find, replace: '' }] };
}
