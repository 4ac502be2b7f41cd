/** Logins of an embedded PostgreSQL: the product's roles get a new password at each start. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/**
 * Gives each role a new random password and returns its URL. Passwords are not stored: the embedded server belongs to one
 * program at a time, which calls this after every start.
 */
export async function openLogins<Role extends string>(
  adminUrl: string,
  roles: readonly Role[],
): Promise<Record<Role, string>> {
  const client = new Client({ connectionString: adminUrl });
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
