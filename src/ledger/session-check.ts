/**
 * Checks that a session has the options that the program set when it connected: role, time zone, date style. A pooler such as
 * PgBouncer drops these options. In transaction mode it may run each transaction in another session of PostgreSQL.
 */
import type { Client } from 'pg';
import { readStatement } from '../database/columns.ts';
import { CrossfootError } from '../errors.ts';

interface Wanted {
  /** The program's setting that holds the URL of the session, such as LEDGER_URL. */
  readonly setting: string;
  readonly login: string;
  readonly role: string;
  readonly applicationName: string;
  /** The address with which links begin; undefined if the session needs none. */
  readonly appUrl?: string | undefined;
}

const UTC = ['UTC', 'Etc/UTC'];

/**
 * Throws `role_refused` if the session lacks an option: a pooler dropped the option, and the login does not set it either.
 */
export async function requireOptions(client: Client, wanted: Wanted): Promise<void> {
  const rows = await readStatement(client, {
    name: 'session',
    text: `select current_setting('role') as role, current_setting('timezone') as timezone,
      current_setting('datestyle') as datestyle, coalesce(current_setting('app.app_url', true), '') as app_url`,
    columns: { role: 'text', timezone: 'text', datestyle: 'text', app_url: 'text' },
  });
  const statements = rows.flatMap((found) => lacking(found, wanted));
  if (statements.length === 0) return;
  throw new CrossfootError(
    'role_refused',
    `A pooler dropped options of ${wanted.applicationName}, which must work as ${wanted.role}.`,
    {
      hint: `Set ${wanted.setting} to the address of PostgreSQL itself. Or run these statements in PostgreSQL and reconnect the pooler: ${statements.join(' ')}`,
    },
  );
}

interface Found {
  readonly role: string;
  readonly timezone: string;
  readonly datestyle: string;
  readonly app_url: string;
}

/** The `alter role` statements for the options that the session lacks; the login then has them in every session. */
export function lacking(found: Found, { login, role, appUrl }: Wanted): readonly string[] {
  const settings = [
    ...(found.role === role ? [] : [`role = '${role}'`]),
    ...(UTC.includes(found.timezone) ? [] : [`timezone = 'UTC'`]),
    ...(found.datestyle.startsWith('ISO') ? [] : [`datestyle = 'ISO'`]),
    ...(appUrl === undefined || found.app_url === appUrl
      ? []
      : [`app.app_url = '${appUrl.replaceAll("'", "''")}'`]),
  ];
  return settings.map((setting) => `alter role ${login} set ${setting};`);
}

/**
 * Throws if transactions of `client` may run in different sessions of PostgreSQL. A session lock would then outlive the
 * program, because the pooler keeps the session. `openSecond` connects once more to the same URL.
 */
export async function requireOneSession(
  client: Client,
  setting: string,
  openSecond: () => Promise<Client>,
): Promise<void> {
  const before = await serverProcess(client);
  // A direct connection knows the process id of its server process. A pooler reports a number of its own instead.
  if ((client as unknown as { readonly processID: number | null }).processID === before) return;
  // In transaction mode, `client` has already given its server process back. The open transaction of `second` then takes that
  // process, and the next statement of `client` runs in another one.
  const second = await openSecond();
  try {
    await second.query('begin');
    await serverProcess(second);
    if ((await serverProcess(client)) === before) return;
  } finally {
    await second.end();
  }
  throw new CrossfootError(
    'settings_invalid',
    `${setting} leads through a pooler in transaction mode, where a lock of a session outlives its program.`,
    { hint: `Set ${setting} to the address of PostgreSQL itself.` },
  );
}

async function serverProcess(client: Client): Promise<number> {
  const [row] = await readStatement(client, {
    name: 'server process',
    text: 'select pg_backend_pid() as pid',
    columns: { pid: 'int4' },
  });
  return row?.pid ?? 0;
}
