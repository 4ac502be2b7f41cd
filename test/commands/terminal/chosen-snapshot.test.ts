import { expect, it } from 'vitest';
import { requireNamed } from '../../../src/commands/terminal/chosen-snapshot.ts';
import { EARLIER, LATEST } from '../../serve/fake-parts.ts';
import { PIN_NAME, PinnedSnapshots } from '../../serve/pinned-snapshots.ts';

it.each([
  [EARLIER, EARLIER],
  ['latest', LATEST],
  [PIN_NAME, EARLIER],
])('a command reads the snapshot %s, which is %s', async (name, id) => {
  expect((await requireNamed(new PinnedSnapshots(), 7n, name)).snapshot_id).toBe(id);
});

it.each(['20200101T000000Z', 'no-such-pin'])(
  'a command finds no snapshot %s, and says where they are listed',
  async (name) => {
    await expect(requireNamed(new PinnedSnapshots(), 7n, name)).rejects.toMatchObject({
      code: 'not_found',
      message: `Account 7 has no readable snapshot ${name}.`,
      hint: 'npx --no crossfoot snapshots --account 7 lists its snapshots.',
    });
  },
);
