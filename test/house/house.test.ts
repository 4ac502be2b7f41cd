/** The house as it stands, held to its rules. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { refuseCapabilities } from './capability-rules.ts';
import {
  refuseCrowdedRooms,
  refuseLongFiles,
  refuseNames,
  refusePathsOfAddresses,
  refuseSharedNumbers,
  refuseSkippedTests,
  refuseSlowShrinks,
  refuseStrangersAtTheTop,
  refuseUnbudgetedCaches,
  refuseUnheardSessions,
  refuseUntypedCells,
} from './file-rules.ts';
import {
  refuseBarrels,
  refuseCycles,
  refuseForbiddenRooms,
  refuseHomeless,
  refuseReached,
} from './import-rules.ts';
import { readSource } from './source.ts';
import { refuseSlowStart } from './start-rule.ts';
import { refuseEmptiedSuites, refuseHiddenSweeps, refusePagesOfPartAudits } from './sweep-rules.ts';

const TOP = new URL('../../', import.meta.url);
const files = globSync('{src,jobs,tools,test}/**/*.ts', { cwd: fileURLToPath(TOP) })
  .toSorted()
  .map((path) => readSource(path, readFileSync(new URL(path, TOP), 'utf8')));

describe('the house', () => {
  it('has been read: this file is among its files', () => {
    expect(files.map((file) => file.path)).toContain('test/house/house.test.ts');
  });

  it('has nothing at its top that the architecture does not name', () => {
    expect(refuseStrangersAtTheTop(readdirSync(TOP))).toEqual([]);
  });

  it('has a number for each of the files that run in the order of their numbers', () => {
    const paths = globSync('schema/**/*.sql', { cwd: fileURLToPath(TOP) });
    expect(paths.length).toBeGreaterThan(100);
    expect(refuseSharedNumbers(paths)).toEqual([]);
  });

  const rules = {
    refuseHomeless,
    refuseForbiddenRooms,
    refuseReached,
    refuseSlowStart,
    refuseCycles,
    refuseBarrels,
    refuseCapabilities,
    refuseNames,
    refuseCrowdedRooms,
    refuseLongFiles,
    refuseSkippedTests,
    refuseSlowShrinks,
    refuseEmptiedSuites,
    refuseHiddenSweeps,
    refusePagesOfPartAudits,
    refusePathsOfAddresses,
    refuseUntypedCells,
    refuseUnbudgetedCaches,
    refuseUnheardSessions,
  };
  it.each(Object.entries(rules))('keeps the rule %s', (_, rule) => {
    expect(rule(files)).toEqual([]);
  });
});
