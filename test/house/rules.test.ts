/** Each rule refuses an example that breaks it and accepts an example that keeps it: a rule that never fires holds nothing. */
import { describe, expect, it } from 'vitest';
import {
  refuseCrowdedRooms,
  refuseLongFiles,
  refuseNames,
  refusePathsOfAddresses,
  refuseSharedNumbers,
  refuseSkippedTests,
  refuseSlowShrinks,
  refuseStrangersAtTheTop,
  refuseUntypedCells,
} from './file-rules.ts';
import {
  refuseBarrels,
  refuseCycles,
  refuseForbiddenRooms,
  refuseHomeless,
  refuseReached,
} from './import-rules.ts';
import { readSource, type Source } from './source.ts';
import { SERVE } from './rooms.ts';

function sources(files: Readonly<Record<string, string>>): Source[] {
  return Object.entries(files).map(([path, text]) => readSource(path, text));
}

describe('reading a source', () => {
  it('finds every kind of import, and which are erased', () => {
    const text = `
      import './a.ts';
      import b, { type c } from './b.ts'; // import './not-this.ts'
      import type { d } from './d.ts';
      import * as e
        from "./e.ts";
      export { f } from './f.ts';
      export * from './g.ts';
      export type { h } from './h.ts';
      const i = await import('./i.ts');
      export const j = 'not from', k: { from: './k.ts' } = {};
    `;
    const { imports } = readSource('x.ts', text);
    expect(imports.map((each) => each.from).toSorted()).toEqual(
      ['a', 'b', 'd', 'e', 'f', 'g', 'h', 'i'].map((name) => `./${name}.ts`),
    );
    expect(imports.filter((each) => each.typeOnly).map((each) => each.from)).toEqual(['./d.ts', './h.ts']);
    expect(imports.filter((each) => each.handsOn).map((each) => each.from)).toEqual([
      './f.ts',
      './g.ts',
      './h.ts',
    ]);
    expect(imports.filter((each) => each.later).map((each) => each.from)).toEqual(['./i.ts']);
  });

  it('is not misled by comments, texts, templates and regular expressions', () => {
    const text =
      "/* ' */ const a = /'`/g.test('`'), b = `x ${c({ d: `\\`${e / f}` })} ' ${g}`, h = a / b / 'end'; // `";
    const { texts, code } = readSource('x.ts', text);
    expect(texts).toEqual(['`', 'x ', '`', 'end']);
    expect(code).toContain('e / f');
    expect(code).not.toContain('//');
  });

  it('counts the lines', () => {
    expect(readSource('x.ts', 'a;\nb;\n').lines).toBe(2);
  });
});

describe('the rules about imports', () => {
  it('refuse a file without a room and one too deep', () => {
    const files = sources({
      'src/misc/a.ts': '',
      'src/a.ts': '',
      'src/serve/site/deep/a.ts': '',
      'src/serve/site/a.ts': '',
      'src/figures/a.ts': '',
    });
    expect(refuseHomeless(files)).toEqual([
      'src/misc/a.ts: lives in no room',
      'src/serve/site/deep/a.ts: lies deeper than two folders',
    ]);
  });

  it.each([
    ['src/figures/a.ts', '../tables/b.ts'],
    ['src/figures/a.ts', '../errors.ts'],
    ['src/ledger/a.ts', '../parquet/b.ts'],
    ['src/tables/a.ts', '../ledger/b.ts'],
    ['src/parquet/a.ts', '../snapshot/read/b.ts'],
    ['src/store/a.ts', '../tables/b.ts'],
    ['src/snapshot/builder/a.ts', '../../serve/b.ts'],
    ['src/snapshot/audit/audit.ts', '../../figures/b.ts'],
    ['src/snapshot/audit/control.ts', '../../ledger/b.ts'],
    ['src/snapshot/keep/prune.ts', '../builder/publish.ts'],
    ['src/snapshot/format/manifest.ts', '../read/reader.ts'],
    ['src/serve/a.ts', '../parquet/b.ts'],
    ['src/serve/a.ts', '../snapshot/audit/audit.ts'],
    ['src/serve/a.ts', '../snapshot/builder/publish.ts'],
    ['src/snapshot/read/reader.ts', '../builder/publish.ts'],
    ['src/snapshot/read/reader.ts', '../../ledger/b.ts'],
    ['src/run/server/a.ts', '../../commands/b.ts'],
    ['src/embedded/a.ts', '../ledger/b.ts'],
    ['src/serve/site/a.ts', '../../commands/b.ts'],
    ['src/serve/http/a.ts', '../auth/b.ts'],
    ['src/serve/frame/a.ts', '../pages/b.ts'],
    ['src/serve/rows/a.ts', '../app.ts'],
    ['src/ledger/staging/a.ts', '../sources/b.ts'],
    ['src/ledger/sources/a.ts', '../load/b.ts'],
    ['src/ledger/identity/a.ts', '../load/b.ts'],
    ['src/ledger/lists/a.ts', '../load/b.ts'],
    ['src/ops/a.ts', '../ledger/b.ts'],
    ['src/client/a.ts', '../errors.ts'],
    ['src/errors.ts', './figures/b.ts'],
    ['src/commands/a.ts', '../../test/support/b.ts'],
    ['src/cli.ts', '../jobs/b.ts'],
    ['src/commands/a.ts', '../../tools/seed/b.ts'],
    ['src/run/server/a.ts', '../../../tools/b.ts'],
    ['jobs/a.ts', '../tools/b.ts'],
    ['tools/a.ts', '../test/support/b.ts'],
  ])('refuse %s importing %s, also as types', (path, from) => {
    for (const type of ['', 'type ']) {
      expect(refuseForbiddenRooms(sources({ [path]: `import ${type}{ x } from '${from}';` }))).toHaveLength(
        1,
      );
    }
  });

  it.each([
    ['src/figures/a.ts', './b.ts'],
    ['src/ledger/a.ts', '../figures/b.ts'],
    ['src/parquet/a.ts', '../tables/table.ts'],
    ['src/snapshot/builder/build.ts', '../audit/audit.ts'],
    ['src/snapshot/audit/audit.ts', '../../tables/all.ts'],
    ['src/serve/a.ts', '../snapshot/format/b.ts'],
    ['src/run/server/a.ts', '../../serve/b.ts'],
    ['src/run/server/a.ts', '../../serve/frame/b.ts'],
    ['src/serve/a.ts', './money/b.ts'],
    ['src/serve/money/a.ts', '../rows/b.ts'],
    ['src/ledger/load/a.ts', '../sources/b.ts'],
    ['src/commands/a.ts', '../serve/b.ts'],
    ['jobs/a.ts', '../src/run/builders/b.ts'],
    ['tools/a.ts', './seed/b.ts'],
    ['tools/seed/a.ts', '../../src/commands/terminal/b.ts'],
    ['test/a.test.ts', '../tools/seed/b.ts'],
    ['test/a.test.ts', '../src/figures/b.ts'],
    ['src/log.ts', 'pino'],
  ])('accept %s importing %s', (path, from) => {
    expect(refuseForbiddenRooms(sources({ [path]: `import { x } from '${from}';` }))).toEqual([]);
  });

  it('refuse an audit that reaches figures through another file', () => {
    const files = {
      'src/snapshot/audit/audit.ts': "import { b } from '../format/b.ts';",
      'src/snapshot/format/b.ts': "import { c } from '../../figures/c.ts';",
      'src/figures/c.ts': '',
    };
    expect(refuseReached(sources(files))).toEqual(['src/snapshot/audit/audit.ts: reaches src/figures/c.ts']);
    expect(refuseReached(sources({ ...files, 'src/snapshot/format/b.ts': '' }))).toEqual([]);
  });

  it('make stairs of the rooms of serve: each imports only rooms before it', () => {
    expect(SERVE).toHaveLength(16);
    for (const [index, [name, above]] of SERVE.entries()) {
      const before = SERVE.slice(0, index).map(([each]) => each);
      expect([name, above.filter((each) => !before.includes(each))]).toEqual([name, []]);
    }
  });

  it('refuse a cycle of any length, also one of types alone', () => {
    const a = "import { b } from './b.ts';";
    const b = "import { c } from './c.ts';";
    const back = "import { a } from './a.ts';";
    expect(refuseCycles(sources({ 'src/a.ts': a, 'src/b.ts': b, 'src/c.ts': back }))).toHaveLength(3);
    expect(refuseCycles(sources({ 'src/a.ts': back }))).toHaveLength(1);
    const types = back.replace('import', 'import type');
    expect(refuseCycles(sources({ 'src/a.ts': a, 'src/b.ts': b, 'src/c.ts': types }))).toHaveLength(3);
  });

  it('refuse handing on, and a file named index', () => {
    expect(refuseBarrels(sources({ 'src/a.ts': "export { b } from './b.ts';" }))).toHaveLength(1);
    expect(refuseBarrels(sources({ 'src/a.ts': "export * from './b.ts';" }))).toHaveLength(1);
    expect(refuseBarrels(sources({ 'src/serve/index.ts': '' }))).toHaveLength(1);
    expect(refuseBarrels(sources({ 'src/a.ts': "import { b } from './b.ts'; export const a = b;" }))).toEqual(
      [],
    );
  });
});

describe('the rules about files', () => {
  it('refuse a stranger at the top', () => {
    const left = ['data', 'own', 'costs.parquet']; // by the commands of the README
    expect(
      refuseStrangersAtTheTop(['src', '.ci', 'README.md', 'node_modules', ...left, 'scripts', 'lib']),
    ).toEqual(['scripts: has no place at the top', 'lib: has no place at the top']);
  });

  it('refuse a name that says nothing, and any case but one', () => {
    const bad = [
      'src/utils.ts',
      'src/serve/helpers/a.ts',
      'test/common.test.ts',
      'src/figures/rollUp.ts',
      'src/A.ts',
    ];
    expect(refuseNames(sources(Object.fromEntries(bad.map((path) => [path, '']))))).toHaveLength(bad.length);
    const good = [
      'src/figures/roll-up.ts',
      'src/tables/reported_value.ts',
      'test/vitest.config.ts',
      'test/a.test.ts',
    ];
    expect(refuseNames(sources(Object.fromEntries(good.map((path) => [path, '']))))).toEqual([]);
  });

  it('refuse the 31st file of a room, and count the room within it by itself', () => {
    const names = Array.from({ length: 31 }, (_, at) => `src/serve/live/a${at}.ts`);
    const room = names.map((path) => readSource(path, ''));
    expect(refuseCrowdedRooms([...room.slice(1), readSource('src/serve/a.ts', '')])).toEqual([]);
    expect(refuseCrowdedRooms(room)).toEqual(['src/serve/live/: holds 31 files, 30 at most']);
  });

  it('refuse two files of one number in one folder', () => {
    const paths = ['a/49-b.sql', 'a/50-c.sql', 'a/49-d.sql', 'e/50-f.sql', 'g.sql'];
    expect(refuseSharedNumbers(paths)).toEqual(['a/49: is the number of two files']);
  });

  it('refuse the path of an address for that of a file, and not that of a page', () => {
    for (const code of [
      "const a = new URL('../b', import.meta.url).pathname;",
      'const files = globSync(name, { cwd: TOP.pathname });',
      "await read(new URL('schema', root).pathname);",
      'const path = new URL(`../${name}`, TOP).pathname;',
    ])
      expect(refusePathsOfAddresses(sources({ [code]: code }))).toHaveLength(1);
    for (const code of [
      "const a = fileURLToPath(new URL('../b', import.meta.url));",
      'const { pathname } = new URL(url);',
      'const at = new URL(file.url).pathname;',
    ])
      expect(refusePathsOfAddresses(sources({ [code]: code }))).toEqual([]);
  });

  it('refuse a cell that is read by text, cast or replaced by 0, where rows of snapshots are read', () => {
    const rows = "import type { FieldValue } from '../../snapshot/read/rows.ts';";
    const of = (code: string, from = rows) =>
      refuseUntypedCells(sources({ 'src/serve/live/a.ts': from + code }));
    for (const code of [
      "const a = row['id'];",
      "const a = known?.['id'];",
      'const a = BigInt(row.id ?? 0);',
      'const a = row as unknown as Head;',
    ]) {
      expect(of(code)).toHaveLength(1);
      expect(of(code, "import { frozenRows } from './snapshot-files.ts';")).toHaveLength(1);
      expect(of(code, "import { Hono } from 'hono';")).toEqual([]);
    }
    expect(of("const a: Row['id'] = row.id ?? 0n, b = values[0] as Head;")).toEqual([]);
  });

  it('refuse the 301st line', () => {
    expect(refuseLongFiles(sources({ 'src/a.ts': '\n'.repeat(300) }))).toEqual([]);
    expect(refuseLongFiles(sources({ 'src/a.ts': '\n'.repeat(301) }))).toHaveLength(1);
  });

  it.each([
    'it.skip(',
    'describe.only(',
    'test.todo(',
    'it.skipIf(x)(',
    'it.concurrent.only(',
    'describe.runIf(x)(',
    'xit(',
  ])('refuse %s', (call) => {
    expect(refuseSkippedTests(sources({ 'test/a.test.ts': `${call}'a', f);` }))).toHaveLength(1);
  });

  it('accept tests that run', () => {
    const text =
      "it('does not skip', f); it.each([1])('a', f); describe('only', g); stream.skip(1); // it.skip(";
    expect(refuseSkippedTests(sources({ 'test/a.test.ts': text }))).toEqual([]);
  });

  it.each([
    ['{ numRuns: 1 }', 1],
    ['{ seed: SEED, numRuns: 30 }', 1],
    ['{ numRuns: 10, endOnFailure: false }', 1],
    ['{ numRuns: 30, endOnFailure: true }', 0],
    ['{ endOnFailure: true, numRuns: 3 }', 0],
    ['{ numRuns: 31 }', 0],
    ['{ numRuns: 10_000 }', 0],
    ['{ seed: SEED }', 0],
  ])('ask a slow property to end on its first failure: %s', (options, refused) => {
    const files = sources({ 'test/a.test.ts': `fc.assert(fc.property(a, f), ${options});` });
    expect(refuseSlowShrinks(files)).toHaveLength(refused);
  });
});
