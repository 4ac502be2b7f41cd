/** Connections to PostgreSQL: each sets its role, its application name, its limits and its type parsers. */
import { Client, Pool } from 'pg';
import type { ClientBase, ClientConfig } from 'pg';
import type { Socket } from 'node:net';
import { CrossfootError } from '../errors.ts';
import { connectError, namesOf, quoted, settingOf } from './connect-errors.ts';
import { requireOneSession, requireOptions } from './session-check.ts';
import { TYPE_PARSERS } from './type-parsers.ts';

const CONNECT_LIMIT_MS = 10_000;
/** Longest wait of a request for a session of the server's pool, including its first statement. */
export const MAX_SESSION_WAIT_MS = 5_000;
// Node then sends ten keepalive probes, one a second. So a server that vanished is noticed within half a minute.
const KEEPALIVE_AFTER_MS = 15_000;

export interface ConnectOptions {
  readonly url: string;
  /** The role of the session. The login is that role or a member of the role. */
  readonly role: string;
  /** The application's address, with which links begin, for accounts that have no `app_url` of their own. */
  readonly appUrl?: string;
  /** What `pg_stat_activity` shows. */
  readonly applicationName: string;
}

interface ClientOptions extends ConnectOptions {
  /** Called when the connection is lost. If omitted, the loss is ignored, and the next statement fails. */
  readonly onError?: (error: Error) => void;
  /** See `breakWhenSilent`; if omitted, the connection is never broken. */
  readonly silenceMs?: number;
}

export interface PoolOptions extends ConnectOptions {
  /** Called when an idle connection is lost. */
  readonly onError: (error: Error) => void;
  readonly max: number;
  /** The longest wait for a session; 10 s if omitted. */
  readonly max_wait_ms?: number;
  /** A statement without an answer for this long fails, and its session is closed; no limit if omitted. */
  readonly max_query_ms?: number;
}

/** A pool whose sessions run as `role`. It connects on first use; its owner ends it. */
export function openPool(options: PoolOptions): Pool {
  const { max, max_wait_ms = CONNECT_LIMIT_MS, max_query_ms } = options;
  const pool = new Pool({
    ...config(options),
    max,
    connectionTimeoutMillis: max_wait_ms,
    ...(max_query_ms === undefined ? {} : { query_timeout: max_query_ms }),
  });
  pool.on('error', options.onError);
  return pool;
}

/**
 * One dedicated connection as `role`, connected; its owner ends or disposes it. Throws if a pooler dropped the options of
 * the session.
 */
export async function openClient(options: ClientOptions): Promise<Client & AsyncDisposable> {
  const client = await connect(options);
  const setting = settingOf(options.role);
  if (options.silenceMs !== undefined) breakWhenSilent(client, options.silenceMs);
  try {
    await requireOptions(client, { ...options, setting, login: quoted(namesOf(options.url).login) });
    // The work of the owner holds session locks, which need one session for all statements.
    if (options.role === 'cf_owner') await requireOneSession(client, setting, () => connect(options));
  } catch (error) {
    void client.end();
    throw error;
  }
  return client;
}

async function connect(options: ClientOptions): Promise<Client & AsyncDisposable> {
  try {
    // The driver reads the files of TLS that the URL names when the client is made.
    const client = Object.assign(new Client(config(options)), {
      [Symbol.asyncDispose]: (): Promise<void> => client.end(),
    });
    // Without a listener Node would end the program.
    client.on('error', options.onError ?? (() => undefined));
    await client.connect().catch((cause: unknown) => {
      // The driver leaves the socket open if the server offers no TLS.
      void client.end();
      throw cause;
    });
    return client;
  } catch (cause) {
    throw connectError(cause, options);
  }
}

/**
 * Breaks the connection after this many milliseconds without a byte in either direction; 0: never. Keepalive is not
 * enough: the operating system of a host answers keepalive probes even if the database or proxy on it hangs.
 */
export function breakWhenSilent(client: ClientBase, silenceMs: number): void {
  // The driver's own socket, which its types do not show.
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.removeAllListeners('timeout').setTimeout(silenceMs);
  if (silenceMs === 0) return;
  stream.once('timeout', () =>
    stream.destroy(
      new CrossfootError('database_unreachable', `The database sent nothing for ${silenceMs / 1000} s.`, {
        hint: 'Check whether the database, the network or a proxy before it hangs.',
      }),
    ),
  );
}

function config(options: ConnectOptions): ClientConfig {
  const url = new URL(options.url);
  // The driver would use `options` of the URL instead of ours. So both are joined, and ours, which include the role, win.
  const before = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  return {
    connectionString: withCheckedTls(url),
    application_name: options.applicationName,
    // Set at start-up, so that no statement ever runs in the login's own role, time zone or date style.
    options: `${before} ${sessionOptions(options)}`.trim(),
    types: TYPE_PARSERS,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
  };
}

/** The settings with which each session begins, as a client of PostgreSQL sends them in `options`. */
export function sessionOptions({ role, appUrl }: Pick<ConnectOptions, 'role' | 'appUrl'>): string {
  return `-c role=${role} -c timezone=UTC -c datestyle=ISO${appUrlOption(appUrl)}`;
}

/**
 * The URL with `verify-full` instead of `prefer`, `require` and `verify-ca`. The driver checks the certificate fully for all
 * of these modes, but prints a warning for any except `verify-full`.
 */
export function withCheckedTls(url: URL): string {
  const { searchParams } = url;
  const mode = searchParams.get('sslmode') ?? '';
  if (['prefer', 'require', 'verify-ca'].includes(mode) && !searchParams.has('uselibpqcompat')) {
    searchParams.set('sslmode', 'verify-full');
  }
  return url.href;
}

function appUrlOption(appUrl: string | undefined): string {
  // Escape blanks and backslashes, which would end or change the option.
  return appUrl === undefined ? '' : ` -c app.app_url=${appUrl.replaceAll(/[\\\s]/g, String.raw`\$&`)}`;
}
