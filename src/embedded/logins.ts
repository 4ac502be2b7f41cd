/** Logins of an embedded PostgreSQL: the product's roles get a new password at each start of the server. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';

const FILE = 'logins.json';

const sharedLogins = z.object({
  /** The id of the claim (see `owner.ts`) of the process that runs the server. */
  claim: z.string(),
  port: z.int(),
  /** The digest of the schema to which that process has migrated. */
  schema: z.string(),
  /** The URL of each role; the superuser's is not among them. */
  urls: z.object({ cf_reader: z.string(), cf_service: z.string(), cf_owner: z.string() }),
});

/** What the file `logins.json` holds: how other commands join the running server. */
export type SharedLogins = Readonly<z.infer<typeof sharedLogins>>;

/** Lets other commands of the same user join the server. */
export async function shareLogins(folder: string, logins: SharedLogins): Promise<void> {
  const file = join(folder, FILE);
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, JSON.stringify(logins), { mode: 0o600, flag: 'wx' });
  await rename(aside, file);
}

/** The logins of the server that was shared last, running or not; null if there are none. */
export async function readLogins(folder: string): Promise<SharedLogins | null> {
  try {
    return sharedLogins.parse(JSON.parse(await readFile(join(folder, FILE), 'utf8')));
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/** The logins, if the process of this claim shared them; null if there are none, or if an earlier process left them. */
export async function readLoginsOf(folder: string, claim: string): Promise<SharedLogins | null> {
  const logins = await readLogins(folder);
  return logins?.claim === claim ? logins : null;
}

/** Deletes the shared logins: no further command joins the server. */
export async function unshareLogins(folder: string): Promise<void> {
  await rm(join(folder, FILE), { force: true });
}

/** True of a file that is absent, or that a power cut left empty. */
function isUnreadable(error: unknown): boolean {
  return (
    error instanceof SyntaxError ||
    error instanceof z.ZodError ||
    (error as NodeJS.ErrnoException).code === 'ENOENT'
  );
}

/** Gives each role a new random password and returns its URL. */
export async function openLogins<Role extends string>(
  adminUrl: string,
  roles: readonly Role[],
): Promise<Record<Role, string>> {
  const client = new Client({ connectionString: adminUrl });
  // Without a listener Node would end the program; the statement that is running fails, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const urls: Partial<Record<Role, string>> = {};
    for (const role of roles) {
      const password = randomBytes(24).toString('base64url');
      // A password cannot be a parameter of `alter role`; base64url holds nothing to escape.
      await client.query(`alter role ${client.escapeIdentifier(role)} login password '${password}'`);
      const url = new URL(adminUrl);
      url.username = role;
      url.password = password;
      urls[role] = url.href;
    }
    return urls as Record<Role, string>; // Every role was visited.
  } finally {
    await client.end();
  }
}
