import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMutants, TOP } from './mutant.ts';

const MUTANTS = readMutants();

describe('the mutants', () => {
  it('are many enough to have one for each safety rule', () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(40);
  });

  it('name their rule, and test files that are there', () => {
    const unnamed = MUTANTS.filter(
      ({ rule, caughtBy, schedules }) => rule === '' || (caughtBy.length === 0 && schedules === null),
    );
    const missing = MUTANTS.flatMap(({ caughtBy }) => caughtBy).filter(
      (file) => !existsSync(`${TOP}${file}`),
    );
    expect([unnamed, missing]).toEqual([[], []]);
  });

  it('apply to the program as it is: a rule that moved takes its mutant along', () => {
    const stale = MUTANTS.filter(({ path }) => {
      try {
        execFileSync('git', ['apply', '--check', path], { cwd: TOP, stdio: 'pipe' });
        return false;
      } catch {
        return true;
      }
    });
    expect(stale.map(({ name }) => name)).toEqual([]);
  });
});
