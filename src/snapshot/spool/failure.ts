/** Failures of the disk that a build spools to: the error says the path, and what helps. */
import { dirname } from 'node:path';
import { CrossfootError } from '../../errors.ts';

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
/** What the audit's engine says of a full disk, instead of a code: it looks at the free space before it writes. */
const ENGINE_FULL = /max_temp_directory_size|no space left|disk quota exceeded/i;

/** Runs one step on a file of the spool; a failure of the file system becomes `spool_failed`. */
export async function inSpool<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof CrossfootError || !(error instanceof Error && 'code' in error)) throw error;
    throw spoolFailure(path, String(error.code), error);
  }
}

/** The error for an engine that found no space for what does not fit into its memory; undefined for any other cause. */
export function engineFailure(path: string, cause: unknown): CrossfootError | undefined {
  return cause instanceof Error && ENGINE_FULL.test(cause.message)
    ? spoolFailure(path, 'ENOSPC', cause)
    : undefined;
}

function spoolFailure(path: string, code: string, cause: unknown): CrossfootError {
  const full = FULL.has(code);
  return new CrossfootError(
    'spool_failed',
    full
      ? `The disk is full: ${path} could not be written (${code}); nothing was published.`
      : `The spool ${path} could not be used (${code}); nothing was published.`,
    {
      hint: full
        ? `Free space on the disk of ${dirname(path)}: crossfoot prune deletes expired snapshots. Or set DATA_DIR to a larger disk.`
        : `Make ${dirname(path)} a folder that this user may read and write, on a disk without errors.`,
      data: { path, code },
      cause,
    },
  );
}
