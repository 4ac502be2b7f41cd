/** Creates the file that a command writes. */
import { type FileHandle, open } from 'node:fs/promises';
import { CrossfootError } from '../../errors.ts';

const REFUSED: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EACCES: 'this user has no right to write there',
};

/** Creates the file; throws if it exists or cannot be created. `command` is the name of the command, for the message. */
export async function createNewFile(to: string, command: string): Promise<FileHandle> {
  try {
    return await open(to, 'wx');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    const reason =
      code === 'EEXIST'
        ? `it exists already, and ${command} overwrites no file`
        : (REFUSED[code] ?? `the operating system reports ${code}`);
    throw new CrossfootError('usage_invalid', `${to} must be a new file; ${reason}.`, {
      cause,
      hint: 'Name another file with --to, or remove the existing file.',
    });
  }
}
