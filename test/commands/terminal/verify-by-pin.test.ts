/** `verify` finds a snapshot by the name of a pin, and shows its retraction. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPinCommand } from '../../../src/commands/pin.ts';
import { addRetractCommand } from '../../../src/commands/retract.ts';
import { addVerifyCommand } from '../../../src/commands/verify.ts';
import { type Ran, runCommand } from '../in-process.ts';
import { openPublishedFolder, type PublishedFolder } from '../published-folder.ts';

let published: PublishedFolder;
let id: string;
beforeAll(async () => {
  published = await openPublishedFolder();
  ({ id } = await published.build());
});
afterAll(() => published.close());

function run(...args: readonly string[]): Promise<Ran> {
  return runCommand(addVerifyCommand, published.env, 'verify', ...args);
}

it('a snapshot is verified by the name of its pin, with the retraction that its files do not show', async () => {
  const of = [id, '--account', '1'];
  const pinned = await runCommand(addPinCommand, published.env, 'pin', ...of, '--name', 'close');
  expect(pinned.error).toBeUndefined();
  const ran = await run('close', '--account', '1');
  expect([ran.error, ran.said]).toEqual([undefined, []]);
  expect(ran.printed).toContain(`snapshot  ${id}`);
  const reason = 'A bill was loaded twice';
  await runCommand(addRetractCommand, published.env, 'retract', ...of, '--reason', reason);
  expect((await run('close', '--account', '1')).said).toEqual([
    expect.stringMatching(
      `^RETRACTED: ${id} since .* UTC: ${reason}\\. Its files may be whole; do not use its figures\\.$`,
    ),
  ]);
});

it('a snapshot whose marks cannot be read is verified all the same, and that is said', async () => {
  const marks = join(published.objects, 'v1/a/1/marks');
  const [first = ''] = (await readdir(marks)).toSorted();
  const bytes = await readFile(join(marks, first));
  await writeFile(join(marks, first), '{}');
  try {
    const ran = await run(id, '--account', '1');
    expect([ran.error, ran.said]).toEqual([
      undefined,
      ['Whether the snapshot is retracted could not be read.'],
    ]);
    expect(ran.printed).toContain(`snapshot  ${id}`);
  } finally {
    await writeFile(join(marks, first), bytes);
  }
});

it('a snapshot is not found by a name that no pin has', async () => {
  expect((await run('no-such-pin', '--account', '1')).error).toMatchObject({
    code: 'usage_invalid',
    message: expect.stringContaining('no-such-pin is neither a snapshot id nor a folder'),
  });
});
