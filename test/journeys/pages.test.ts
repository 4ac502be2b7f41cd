/** Every page with code is a journey, and every block runs or says why it cannot. */
import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { FLOOR, OWN_START, SHARED } from './journeys.ts';
import { blocksIn, blocksOf, pagesWithBlocks, READ, RUN } from './page-blocks.ts';

const journeys = [...SHARED, ...OWN_START];
const blocks = pagesWithBlocks().flatMap((page) => blocksOf(page).map((block) => ({ page, ...block })));

/** What the shell says of a script without running it. */
function parsed(script: string): Promise<string> {
  return new Promise((resolve) => {
    const shell = execFile('sh', ['-n'], (_, __, complaint) => resolve(complaint));
    shell.stdin?.end(script);
  });
}

describe('the journeys', () => {
  it('are every page with code, each once', () => {
    expect(journeys.map(({ page }) => page).toSorted()).toEqual(pagesWithBlocks());
  });

  it('of pages that destroy or replace what runs have a start of their own', () => {
    const slugs = OWN_START.map(({ page }) => /(\w[\w-]*)\.md$/.exec(page)?.[1]);
    for (const slug of OWN) expect(slugs).toContain(slug);
  });

  it('run as many blocks as ever: the floor follows when a page gets one more, and never falls', () => {
    expect(blocks.filter(({ notRun }) => notRun === null)).toHaveLength(FLOOR);
  });

  it('name blocks that exist, and examples that the pages show', () => {
    for (const { page, asks = {}, files = {}, after = {}, values = {} } of journeys) {
      const own = blocksOf(page);
      const named = [asks, files, after].flatMap((each) => Object.keys(each).map(Number));
      expect([page, named.filter((index) => own[index] === undefined)]).toEqual([page, []]);
      const code = own.map((block) => block.code).join('\n');
      expect([page, Object.keys(values).filter((shown) => !code.includes(shown))]).toEqual([page, []]);
    }
  });
});

const OWN = ['lost-database', 'lost-bucket', 'key-rotation', 'erase-a-name', 'own-postgresql', 'bad-night'];

describe('a block of code', () => {
  it('has its mark on the line before it, with a reason', () => {
    const text =
      '<!-- not run: needs a cloud -->\n```sh\ntrue\n```\n\n```sql\nselect 1;\n```\n```\na drawing\n```\n';
    expect(blocksIn(text)).toEqual([
      { language: 'sh', code: 'true\n', line: 3, notRun: 'needs a cloud' },
      { language: 'sql', code: 'select 1;\n', line: 7, notRun: null },
    ]);
  });

  it('is shell that parses, also where it cannot run', async () => {
    const scripts = blocks.filter(({ language }) => language === 'sh');
    const complaints = await Promise.all(scripts.map(async ({ page, code }) => [page, await parsed(code)]));
    expect(complaints.filter(([, complaint]) => complaint !== '')).toEqual([]);
    expect(await parsed('if true; then')).not.toBe('');
  });

  it('is in a language that the journeys know', () => {
    const known = [...RUN, ...READ].toSorted();
    expect([...new Set(blocks.map(({ language }) => language))].toSorted()).toEqual(known);
  });
});
