/** Errors of the file system during a build or a verification, with the path and the next step. */
import { dirname } from 'node:path';
import { CrossfootError } from '../../errors.ts';
import { FORBIDDEN_CODES, FREE_SPACE, FULL_DISK_CODES } from '../../full-disk.ts';

/** DuckDB's messages for a full disk, which have no error code. */
const ENGINE_FULL = /max_temp_directory_size|no space left|disk quota exceeded/i;

/** True for the error of a full disk, also as the cause of another error. */
export function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return FULL_DISK_CODES.has(code) || ENGINE_FULL.test(error.message) || isFullDisk(error.cause);
}

type ErrorOf = (path: string, code: string, cause: unknown) => CrossfootError;

/** Runs one step on a file, and turns an error of the file system into a `CrossfootError`. */
export type FileStep = <T>(path: string, step: () => Promise<T>) => Promise<T>;

/** For a file of the spool: the error is `spool_failed`. */
export const inSpool: FileStep = stepWith(spoolFailure);

/** For a file or folder to verify: the error is `file_unreadable`. */
export const inVerified: FileStep = stepWith(unreadable);

function stepWith(errorOf: ErrorOf): FileStep {
  return async (path, step) => {
    try {
      return await step();
    } catch (error) {
      if (error instanceof CrossfootError || !(error instanceof Error && 'code' in error)) throw error;
      throw errorOf(path, String(error.code), error);
    }
  };
}

/** The error for an engine that could not write temporary data because the disk is full; undefined for any other cause. */
export function engineFailure(path: string, cause: unknown): CrossfootError | undefined {
  return cause instanceof Error && ENGINE_FULL.test(cause.message)
    ? spoolFailure(path, 'ENOSPC', cause)
    : undefined;
}

function spoolFailure(path: string, code: string, cause: unknown): CrossfootError {
  const full = FULL_DISK_CODES.has(code);
  return new CrossfootError(
    'spool_failed',
    full
      ? `The disk is full: ${path} could not be written (${code}); nothing was published.`
      : `The spool ${path} could not be used (${code}); nothing was published.`,
    {
      hint: full
        ? `${FREE_SPACE} Or set DATA_DIR to a larger disk than that of ${dirname(path)}.`
        : `Make ${dirname(path)} a folder that this user may read and write, on a disk without errors.`,
      data: { path, code },
      cause,
    },
  );
}

function unreadable(path: string, code: string, cause: unknown): CrossfootError {
  const forbidden = FORBIDDEN_CODES.has(code);
  return new CrossfootError(
    'file_unreadable',
    forbidden
      ? `This user may not read ${path} (${code}); the snapshot was not verified.`
      : `${path} could not be read (${code}); the snapshot was not verified.`,
    {
      hint: forbidden
        ? `Give this user the right to read ${path} and to enter the folders above it, then verify again.`
        : `Copy ${dirname(path)} again to a disk without errors, then verify the copy.`,
      data: { path, code },
      cause,
    },
  );
}
