/** The rules about sweeps, on examples that keep them and some that break them. */
import { describe, expect, it } from 'vitest';
import { readSource } from './source.ts';
import { refuseEmptiedSuites, refuseHiddenSweeps, refusePagesOfPartAudits } from './sweep-rules.ts';

const source = (text: string, path = 'test/serve/a.test.ts') => [readSource(path, text)];
/** Two halves, so that this file does not name the variable. */
const VARIABLE = ['CROSSFOOT_TEST', 'SWEEPS'].join('_');

describe('the rule about suites without their sweeps', () => {
  it.each([
    ["describe('a', () => { itInSweeps('b', f); });", "describe 'a'"],
    ["describe('a', () => { itInSweeps.each([1, 2])('b %i', f); }); it('c', f);", "describe 'a'"],
    ["describe('a', () => { it('b', f); describe('c', () => { itInSweeps('d', f); }); });", "describe 'c'"],
    ["describe('a', () => { describeInSweeps('b', () => { it('c', f); }); }); it('d', f);", "describe 'a'"],
    ["describe.each([1])('a', () => { itInSweeps('b', f); }); it('c', f);", "describe 'a'"],
    ["describe<string>('a', () => { itInSweeps('b', () => /c/.test(d)); }); it('e', f);", "describe 'a'"],
    ["describe('a', () => { itInSweeps('b', () => { it('c', f); }); }); it('d', f);", "describe 'a'"],
    ["const all = () => itInSweeps('b', f); describe('a', () => { all(); }); it('c', f);", "describe 'a'"],
    [
      "function all(): void { itInSweeps('b', f); } describe('a', () => { all(); }); it('c', f);",
      "describe 'a'",
    ],
    ["itInSweeps('a', f);", 'the file'],
    ["describeInSweeps('a', () => { it('b', f); });", 'the file'],
  ])('refuses %s', (text, suite) => {
    expect(refuseEmptiedSuites(source(text))).toContainEqual(
      `test/serve/a.test.ts: without its sweeps, ${suite} has no test`,
    );
  });

  it.each([
    "describe('a', () => { it('b', f); itInSweeps('c', f); });",
    "describe('a', () => { it.each([1])('b', f); itInSweeps('c', f); });",
    "describe('a', () => { test<Given>('b', f); itInSweeps.each([1])('c', f); });",
    "describe('a', () => { all(); itInSweeps('b', f); }); function all() { it('c', f); }",
    "describe('a', () => { describe('b', () => { it('c', f); }); itInSweeps('d', f); });",
    "it('a', f); describeInSweeps('b', () => { describe('c', () => { it('d', f); }); });",
    "describe('a', () => { contract(store); }); describeInSweeps('b', g); it('c', f);",
  ])('accepts %s', (text) => {
    expect(refuseEmptiedSuites(source(text))).toEqual([]);
  });

  it('accepts a file of sweeps alone that says so in its name', () => {
    const text = "describe('a', () => { itInSweeps('b', f); });";
    expect(refuseEmptiedSuites(source(text, 'test/serve/a.sweep.test.ts'))).toEqual([]);
  });
});

describe('the rule about hidden sweeps', () => {
  it.each([
    ["import { itInSweeps as slowly } from '../support/sweeps.ts';", 'gives a sweep another name'],
    ['const slowly = itInSweeps;', 'gives a sweep another name'],
    ['contract(itInSweeps, store);', 'gives a sweep another name'],
    ["describeInSweeps('a', () => { it('b', f); itInSweeps('c', f); });", 'declares a sweep among sweeps'],
    [`it.each(process.env['${VARIABLE}'] === '0' ? [1] : [1, 2])('a', f);`, 'behaves in another way'],
    [`const { ${VARIABLE} } = process.env;`, 'behaves in another way'],
  ])('refuses %s', (text, fault) => {
    expect(refuseHiddenSweeps(source(text))).toEqual([expect.stringContaining(`a.test.ts: ${fault}`)]);
  });

  it('refuses a sweep that another file than a test declares', () => {
    const text = "export const contract = () => itInSweeps('a', f);";
    expect(refuseHiddenSweeps(source(text, 'test/store/contract.ts'))).toEqual([
      'test/store/contract.ts: declares a sweep outside a test file',
    ]);
  });

  it('accepts sweeps under their own names', () => {
    const text =
      "import { describeInSweeps, itInSweeps } from '../support/sweeps.ts'; itInSweeps.each([1])('a', f); describeInSweeps('b', g);";
    expect(refuseHiddenSweeps(source(text))).toEqual([]);
  });
});

describe('the rule about snapshots that are not audited whole', () => {
  const PART = 'test/snapshot/audit/partly-audited.ts';
  const builds = {
    [PART]: '',
    'test/snapshot/builder/faults.ts': "import { open } from '../audit/partly-audited.ts';",
  };

  it.each(['src/serve/pages/overview.ts', 'src/run/server/service.ts', 'src/commands/verify.ts'])(
    'refuses a test that reaches them and %s, however long the way',
    (reader) => {
      const files = {
        ...builds,
        [reader]: '',
        'test/serve/app.ts': `import type { app } from '../../${reader}';`,
        'test/serve/a.test.ts': "import './app.ts'; import '../snapshot/builder/faults.ts';",
      };
      const sources = Object.entries(files).map(([path, text]) => readSource(path, text));
      expect(refusePagesOfPartAudits(sources)).toEqual([
        `test/serve/a.test.ts: reaches ${reader} and builds that are not audited whole`,
      ]);
    },
  );

  it('accepts a test that builds and reads back', () => {
    const files = {
      ...builds,
      'src/snapshot/read/snapshot-reader.ts': '',
      'test/snapshot/builder/a.test.ts':
        "import './faults.ts'; import '../../../src/snapshot/read/snapshot-reader.ts';",
    };
    const sources = Object.entries(files).map(([path, text]) => readSource(path, text));
    expect(refusePagesOfPartAudits(sources)).toEqual([]);
  });
});
