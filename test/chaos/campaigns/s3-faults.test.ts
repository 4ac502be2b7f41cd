import { expect, test } from 'vitest';
import { contentOfBytes } from '../../../src/snapshot/spool/upload.ts';
import { tableOf } from '../audited-files.ts';
import { chanceOf } from '../chance.ts';
import { publishRound } from '../s3/s3-round.ts';

const PUBLISHES = 6;

test('a bucket that spoils a fifth of its answers holds only whole snapshots', async () => {
  const files = {
    tables: [
      await tableOf('snapshot', 1, Buffer.from('PAR1 one row PAR1')),
      await tableOf('costs', 1, Buffer.from('PAR1 of costs PAR1')),
    ],
    files: [{ name: 'audit.json', content: contentOfBytes(Buffer.from('{"passed":true}')) }],
  };
  const round = await publishRound(files, PUBLISHES, chanceOf(1));
  expect(round).toMatchObject({ bad: [], given_up: 0 });
  expect(round.published + round.superseded).toBe(PUBLISHES);
  // Fewer faults than that, and nothing was shown.
  expect(Object.values(round.met).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(PUBLISHES);
});
