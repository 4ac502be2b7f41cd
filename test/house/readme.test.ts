/** The README, held to the program: what it names exists. `test/journeys/readme.sweep.test.ts` runs its blocks. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../commands/program-here.ts';
import { blocksIn } from '../journeys/page-blocks.ts';

const TOP = new URL('../../', import.meta.url);
const text = readFileSync(new URL('README.md', TOP), 'utf8');
const { scripts } = JSON.parse(readFileSync(new URL('package.json', TOP), 'utf8')) as {
  scripts: Record<string, string>;
};

describe('the README', () => {
  it('is short enough to be read', () => {
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(123);
  });

  it('shows only commands that exist, of npm and of the program', () => {
    const shell = blocksIn(text).filter(({ language }) => language === 'sh');
    const lines = shell.map(({ code }) => code).join('\n');
    const called = [...lines.matchAll(/npx --no crossfoot (\S+)/g)].map(([, command]) => command);
    expect(called.length).toBeGreaterThan(0);
    expect(called.filter((command) => !commandNames().includes(command ?? ''))).toEqual([]);
    const mentioned = [...text.matchAll(/(?:`|&& |^)npm (?:run )?([a-z]\S*?)[`\s]/gm)].map(
      ([, script]) => script,
    );
    const known = ['ci', ...Object.keys(scripts)];
    expect(mentioned.filter((script) => !known.includes(script ?? ''))).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    const linked = [...text.matchAll(/\]\(([^):#]+)\)|src="([^"]+)"/g)];
    const links = linked.map(([, link, source]) => new URL(link ?? source ?? '', TOP));
    expect(links.length).toBeGreaterThan(20);
    for (const link of links) expect(() => readFileSync(link)).not.toThrow(/ENOENT/);
  });
});
