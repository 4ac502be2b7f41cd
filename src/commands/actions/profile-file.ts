/** The profile file: it gives a client of the Delta Sharing protocol the server's address and a token. */
import { open, rm } from 'node:fs/promises';
import { CrossfootError } from '../../errors.ts';
import type { Instant } from '../../instant.ts';
import { formatInstant } from '../../time.ts';

/** Readable by its owner only, because it contains a token. */
const OWNER_ONLY = 0o600;

export interface ProfileFile extends AsyncDisposable {
  /** Writes the profile; `expires_at` is null for a token that never expires. */
  write(token: string, expires_at: Instant | null): Promise<void>;
}

/**
 * Creates the file, still empty; refuses a file that exists. Call it before the token is issued: a token that cannot be
 * written would be lost. Its end deletes the file if no profile was written.
 */
export async function createProfile(path: string, endpoint: string): Promise<ProfileFile> {
  const file = await open(path, 'wx', OWNER_ONLY).catch((cause: unknown) => {
    throw new CrossfootError('usage_invalid', `--profile ${path} cannot be created.`, {
      hint: 'Name a file that does not exist, in a folder that you may write to.',
      cause,
    });
  });
  let isWritten = false;
  return {
    async write(token, expires_at) {
      const profile = {
        shareCredentialsVersion: 1,
        endpoint,
        bearerToken: token,
        ...(expires_at !== null && { expirationTime: formatInstant(expires_at) }),
      };
      await file.writeFile(`${JSON.stringify(profile, null, 2)}\n`);
      isWritten = true;
      await file.sync();
    },
    async [Symbol.asyncDispose]() {
      await file.close();
      if (!isWritten) await rm(path);
    },
  };
}
