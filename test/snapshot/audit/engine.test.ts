import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEngine } from '../../../src/snapshot/audit/engine.ts';

const NUMBERS = 'select i::varchar as number from range(5) numbers (i) order by i desc;\n';

test('the engine gives the rows of a select in its order, all of them or the first few', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'crossfoot-engine-'));
  await using engine = await openEngine({
    directory: folder.path,
    tempDirectory: folder.path,
    memoryLimit: '64MB',
  });
  const numbers = async (limit?: number) =>
    (await engine.rows(NUMBERS, limit)).map(({ number }) => number).join(' ');

  expect(await numbers()).toBe('4 3 2 1 0');
  expect(await numbers(2)).toBe('4 3');
  expect(await numbers(9)).toBe('4 3 2 1 0');
});
