/** The action of `crossfoot init`: copies the starter files. */
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CrossfootError } from '../../errors.ts';
import { shellWord } from '../../next-step.ts';
import type { CommandContext } from '../../run/context.ts';

const STARTER = fileURLToPath(new URL('../../../fixtures/starter', import.meta.url));

/** Writes the files into the folder and prints their names; throws if the folder holds anything. */
export async function writeStarter(folder: string, { print, say }: CommandContext): Promise<void> {
  const unwritable = (cause: unknown): never => {
    throw new CrossfootError('usage_invalid', `${folder} is not a folder that can be written.`, {
      cause,
      hint: 'Name a new folder, or an empty one.',
    });
  };
  await mkdir(folder, { recursive: true }).catch(unwritable);
  const there = await readdir(folder);
  if (there.length > 0) {
    throw new CrossfootError(
      'usage_invalid',
      `${folder} is not empty: it holds ${there.toSorted()[0]}. Nothing was written.`,
      {
        hint: 'Name a new folder, or an empty one.',
      },
    );
  }
  for (const name of (await readdir(STARTER)).toSorted()) {
    // COPYFILE_EXCL: a file that appeared meanwhile is not overwritten.
    await copyFile(join(STARTER, name), join(folder, name), constants.COPYFILE_EXCL).catch(unwritable);
    print(join(folder, name));
  }
  say('next, unless it has an account: npx --no crossfoot account add "Own Company"');
  say(`then: npx --no crossfoot load ${shellWord(folder)} --account <id>`);
}
