/** Names, sentences and titles in the field's words: what the design asks of them, as far as a program can see it. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import allowed from './plain-words.json' with { type: 'json' };
import { readSource } from './source.ts';
import { refuseTitles } from './title-rules.ts';
import { byRoom, markedLines, refuseMarks, refuseWords } from './word-rules.ts';

const TOP = new URL('../../', import.meta.url);
/** Made by `npm run generate`, from texts that are read where they stand. */
const GENERATED = ['src/database/schema.ts', 'assets/pull.mjs'];
/** They hold the words that the rules look for. */
const RULES = ['test/house/word-rules.ts', 'test/house/title-rules.ts', 'test/house/plain-words.test.ts'];
const texts = globSync(['{src,jobs,tools,test}/**/*.{ts,py}', 'schema/**/*.sql'], { cwd: fileURLToPath(TOP) })
  .filter((path) => !GENERATED.includes(path) && !RULES.includes(path))
  .toSorted()
  .map((path) => ({ path, text: readFileSync(new URL(path, TOP), 'utf8') }));
const sources = texts
  .filter(({ path }) => path.endsWith('.ts'))
  .map(({ path, text }) => readSource(path, text));

const refusedNames = (code: string) => refuseWords([readSource('src/a.ts', code)]);
const refusedTitles = (code: string) => refuseTitles([readSource('test/a.test.ts', code)]);

describe('the names', () => {
  it('refuse a word that the field has a better one for', () => {
    expect(refusedNames('demandRole() ; const MOST_ROWS = 1')).toEqual([
      'src/a.ts: demandRole: say require…',
      'src/a.ts: MOST_ROWS: say MAX_…',
    ]);
    expect(refusedNames('slot ; FigureSlots ; requireRole ; replace ; space ; namespace')).toEqual([]);
  });

  it.each([
    'truth',
    'whole',
    'WHOLE',
    'NightSurroundings',
    'Pace',
    'PACE',
    'paceAt',
    'stoppablePace',
    'openWorkshop',
    'near',
    'repeats',
    'NOBODY',
    'MAX_BYTES',
    'MAX_KEPT',
    'LIMIT_MS',
    'MICROSECONDS_PER_SECOND',
  ])('refuse %s in src and in tests', (name) => {
    expect(refusedNames(`const ${name} = 1;`)).toHaveLength(1);
    expect(refuseWords([readSource('test/a.test.ts', `const ${name} = 1;`)])).toHaveLength(1);
  });

  it('refuse place for an index, and accept it for where a thing is', () => {
    for (const code of [
      'names.map((name, place) => 1);',
      'names.filter((_, place) => 1);',
      'names.map(({ name }, place) => 1);',
      'for (const [place, name] of names.entries()) f();',
      'for (let place = 0; place < 9; place += 1) f();',
      'const a = place + 1;',
      'passes.at(place);',
      'const b = place < 0 ? c : d;',
      'cells.with(place, text);',
      'interface A { readonly place: number }',
    ])
      expect(refusedNames(code)).toEqual(['src/a.ts: place: say index']);
    expect(refusedNames('({ place }: Offence, b) => `${place}`; (a, b, place) => 1;')).toEqual([]);
  });

  it('of src, jobs, tools and tests have none of these words', () => {
    expect(sources.length).toBeGreaterThan(800);
    expect(refuseWords(sources)).toEqual([]);
  });
});

describe('the titles', () => {
  it('refuse a test without a subject, however it is called, and one of 26 words', () => {
    for (const call of [
      "it('",
      "test('",
      "itInSweeps('",
      "it.concurrent('",
      'it.each([1, f(2)])(`',
      "it.each<[a: () => number]>([[f]])('",
      "describe('a night', () => { it('begins', f); }); it('",
      "describe('what is due', () => { it('",
      "describe.each(['a'])('%s', (name) => { it('",
    ]) {
      for (const title of ['is refused', 'has a name', 'of a night', 'with a file', 'refuses a night'])
        expect(refusedTitles(`${call}${title}${call.endsWith('`') ? '`' : "'"}, f);`)).toEqual([
          `test/a.test.ts: ${title}`,
        ]);
    }
    expect(refusedTitles('it(`is ${name} after ${time}`, f);')).toEqual(['test/a.test.ts: is ']);
    expect(refusedTitles("it('F-12, F-13: is refused', f);")).toEqual(['test/a.test.ts: is refused']);
    for (const [words, refused] of [
      [25, 0],
      [26, 1],
    ] as const)
      expect(refusedTitles(`it('a${' night'.repeat(words - 1)}', f);`)).toHaveLength(refused);
  });

  it('accept a title with a subject, or below one, and any other text', () => {
    for (const code of [
      "it('a night is refused', f); f('is refused'); g(a)(b);",
      "describe('a night', () => { it('is refused', f); it.each([f(1)])('begins at %s', f); });",
      "describe('a night', () => { describe('a build', () => f()); it('is refused', f); });",
      "describe.each(['a'])('the night %s', (name) => { it('is refused', async () => g('x')); });",
    ])
      expect(refusedTitles(code)).toEqual([]);
  });

  it('of the tests have a subject, and at most 25 words', () => {
    expect(refuseTitles(sources)).toEqual([]);
  });
});

describe('the sentences', () => {
  const line = '// Nobody waits for whoever reads it.';

  it('with a marking word are named by line where a room has more than its number', () => {
    const marked = { 'src/store': markedLines('src/store/a.ts', `const a = 1;\n  ${line}`) };
    expect(refuseMarks({ 'src/store': 1 }, marked)).toEqual([]);
    expect(refuseMarks({}, marked)).toEqual([
      'src/store: 1 lines, at most 0; name the thing in one of these',
      `src/store/a.ts:2: ${line}`,
    ]);
  });

  it('ask for a lower number where a room has fewer', () => {
    expect(refuseMarks({ jobs: 2 }, { jobs: [line] })).toEqual([
      'lower jobs from 2 to 1 in plain-words.json',
    ]);
  });

  it('with a marking word are no more, and no fewer, than plain-words.json says of their room', () => {
    const marked = texts.flatMap(({ path, text }) => markedLines(path, text));
    expect(refuseMarks(allowed, byRoom(marked))).toEqual([]);
  });
});
