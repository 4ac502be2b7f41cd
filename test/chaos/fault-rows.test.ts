/** Every fault that we answer for is shown by a test or a campaign that bears its id. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CAMPAIGNS } from './campaigns.ts';
import { FAULT_ROWS } from './fault-rows.ts';

const TOP = new URL('../../', import.meta.url);
/** The first text of what begins a test or a group of them, whatever `each` stands between. */
const TITLE = /^\s*(?:(?:it|test|describe)(?:\.each\(.*\))?\(|\]\)\()?\s*(['"`])(?<title>.*?)\1,/gm;

const ids = (text: string): readonly string[] => text.match(/\bF-\d+\b/g) ?? [];
const ofTests = globSync('test/**/*.test.ts', { cwd: fileURLToPath(TOP) }).flatMap((path) =>
  [...readFileSync(new URL(path, TOP), 'utf8').matchAll(TITLE)].flatMap(({ groups }) =>
    ids(groups?.['title'] ?? ''),
  ),
);
const ofCampaigns = CAMPAIGNS.flatMap(({ rows }) => rows.flatMap(ids));
const shown = new Set([...ofTests, ...ofCampaigns]);

it.each(FAULT_ROWS)('$id, $fault: is shown', ({ id }) => {
  expect([...shown]).toContain(id);
});

it('no test or campaign has an unknown fault id', () => {
  const known = new Set(FAULT_ROWS.map(({ id }) => id));
  expect([...shown].filter((id) => !known.has(id))).toEqual([]);
});
