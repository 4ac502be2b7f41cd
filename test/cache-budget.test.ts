/** The budget of caches, which `test/house` makes every cache name: the article on operating tells its sum. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DISK_BUDGET, MEMORY_BUDGET } from '../src/cache-budget.ts';
import { refuseUnbudgetedCaches } from './house/file-rules.ts';
import { readSource } from './house/source.ts';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const MIB = 1_048_576;

const told = (budget: Readonly<Record<string, number>>): string =>
  (Object.values(budget).reduce((sum, bytes) => sum + bytes, 0) / MIB).toLocaleString('en-US');

it('the article on operating tells the sum of all caches', () => {
  const article = readFileSync(`${TOP}docs/articles/operating.md`, 'utf8').replaceAll(/\s+/g, ' ');
  expect(article).toContain(
    `The caches of a server take at most ${told(MEMORY_BUDGET)} MiB of memory and ${told(DISK_BUDGET)} MiB below \`DATA_DIR\``,
  );
});

it('every size of the budget is that of one cache of a server', () => {
  const code = globSync('src/**/*.ts', { cwd: TOP }).map((path) => readFileSync(`${TOP}${path}`, 'utf8'));
  const named = [...code.join('\n').matchAll(/\b(?:MEMORY|DISK)_BUDGET\.(\w+)/g)].map(
    ([, name = '']) => name,
  );
  expect([...new Set(named)].toSorted()).toEqual(
    [...Object.keys(MEMORY_BUDGET), ...Object.keys(DISK_BUDGET)].toSorted(),
  );
});

it.each([
  ['new Cache<string, number>({ max_entries: 1, clock })', 0],
  ['new Cache<string, number>({ max_bytes: MEMORY_BUDGET.tokens, bytesOf: () => 200 })', 0],
  ['new Cache<string, number>({ max_entries: 1_000 })', 1],
  ['new Cache({ max_bytes: MAX_BYTES, bytesOf }); new Cache({ max_entries: 1 })', 1],
])('a cache of src names its size in the budget: %s', (text, refused) => {
  expect(refuseUnbudgetedCaches([readSource('src/serve/a.ts', text)])).toHaveLength(refused);
});
