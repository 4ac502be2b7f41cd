import { expect, test } from 'vitest';
import { contentOfBytes } from '../../../src/snapshot/spool/upload.ts';
import { tableOf } from '../audited-files.ts';
import { spoilFiles } from './flips.ts';

const FILES = 15;

test('no spoiled file is served as if it were whole, and a scrub finds each', async () => {
  const files = {
    tables: [
      await tableOf('snapshot', 1, Buffer.from('PAR1 one row PAR1')),
      await tableOf('costs', 1, Buffer.from('PAR1')),
    ],
    files: [{ name: 'audit.json', content: contentOfBytes(Buffer.from('{"passed":true}')) }],
  };
  const { signal } = new AbortController();
  const { done, bad, figures } = await spoilFiles(files, {
    seed: 1,
    times: FILES,
    say: () => undefined,
    signal,
  });
  expect({ done, bad }).toEqual({ done: FILES, bad: [] });
  expect(figures).toMatchObject({ found: FILES });
  for (const outcome of ['broken_off', 'refused']) expect(figures[outcome]).toBeGreaterThan(0);
});
