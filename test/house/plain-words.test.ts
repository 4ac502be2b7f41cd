/** Names and sentences in the field's words: what the design asks of them, as far as a program can see it. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import allowed from './plain-words.json' with { type: 'json' };
import { readSource } from './source.ts';
import { markedLines, refuseMarks, refuseWords, roomOf } from './word-rules.ts';

const TOP = new URL('../../', import.meta.url);
/** Made by `npm run generate`, from texts that are read where they stand. */
const GENERATED = ['src/database/schema.ts', 'assets/pull.mjs'];
const texts = globSync(['{src,jobs,tools}/**/*.{ts,py}', 'schema/**/*.sql'], { cwd: fileURLToPath(TOP) })
  .filter((path) => !GENERATED.includes(path))
  .toSorted()
  .map((path) => ({ path, text: readFileSync(new URL(path, TOP), 'utf8') }));

describe('the names', () => {
  it('refuse a word that the field has a better one for', () => {
    const code = ['demandRole() ; const MOST_ROWS = 1', 'slot ; FigureSlots ; requireRole'];
    const [bad = '', good = ''] = code;
    expect(refuseWords([readSource('src/bad.ts', bad), readSource('src/good.ts', good)])).toEqual([
      'src/bad.ts: demandRole: say require…',
      'src/bad.ts: MOST_ROWS: say MAX_…',
    ]);
  });

  it('of src, jobs and tools have none of these words', () => {
    const sources = texts.filter(({ path }) => path.endsWith('.ts'));
    expect(sources.length).toBeGreaterThan(400);
    expect(refuseWords(sources.map(({ path, text }) => readSource(path, text)))).toEqual([]);
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
    const marked: Record<string, string[]> = {};
    for (const { path, text } of texts) {
      const lines = markedLines(path, text);
      if (lines.length > 0) (marked[roomOf(path)] ??= []).push(...lines);
    }
    expect(refuseMarks(allowed, marked)).toEqual([]);
  });
});
