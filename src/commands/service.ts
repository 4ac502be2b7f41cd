/** The running server: the application over the real ledger and store, listening. */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { publicBaseUrl, type Settings } from '../config.ts';
import { CrossfootError } from '../errors.ts';
import { openClient, openPool } from '../ledger/connect.ts';
import { checkRoles } from '../ledger/roles-check.ts';
import { findTokenHolder } from '../ledger/tokens.ts';
import { errorFields, type Logger } from '../log.ts';
import { createApp } from '../serve/app.ts';
import { type Listener, listen } from '../serve/server.ts';
import { tokenDigest } from '../serve/token.ts';
import { createReader } from '../snapshot/reader.ts';
import { describeTables } from '../tables/describe.ts';
import { openObjectStore } from './object-store.ts';
import { PACE } from './surroundings.ts';

// Authentication is one indexed look-up a request; two cores answer faster than ten sessions can ask.
const MOST_SESSIONS = 10;
// Ctrl-C promises an end within five seconds, and the embedded database may need most of them.
const GRACE_MS = 1_000;

const SESSION = { role: 'cf_reader', applicationName: 'crossfoot serve' } as const;

export interface Service {
  /** The public address of the API, ending in /v1. */
  readonly baseUrl: string;
  /** The pool that looks tokens up, as the reader. */
  readonly reader: Pool;
  readonly listener: Listener;
  /** Stops accepting, lets answers end for a moment, closes what was opened. */
  close(): Promise<void>;
}

interface ServiceParts {
  readonly settings: Settings;
  readonly ledgerUrl: string;
  readonly logger: Logger;
}

/** Checks roles and store, then listens. */
export async function startService({ settings, ledgerUrl, logger }: ServiceParts): Promise<Service> {
  await checkLedger(ledgerUrl);
  const store = await openObjectStore(settings);
  let closing = false;
  const reader = openPool({
    ...SESSION,
    url: ledgerUrl,
    max: MOST_SESSIONS,
    onError: (error) => {
      // A pool says it has ended before its sessions have: a server stopped next still ends them.
      if (!closing) logger.warn('connection.lost', errorFields(error));
    },
  });
  try {
    const snapshots = createReader({
      store,
      now: PACE.now,
      onFault: (fault) => logger.error('log.broken', errorFields(fault)),
    });
    let baseUrl = '';
    const app = createApp({
      schema: describeTables(),
      snapshots,
      authenticate: (token) => findTokenHolder(reader, tokenDigest(token)),
      baseUrl: () => baseUrl,
      logger,
      newRequestId: randomUUID,
      clock: () => performance.now(),
    });
    const listener = await listen(app.fetch, { host: settings.host, port: settings.port, logger }).catch(
      (error: unknown) => Promise.reject(cannotListen(settings, error)),
    );
    baseUrl = publicBaseUrl(settings, listener.port);
    logger.info('server.started', { port: listener.port, url: baseUrl });
    const close = async (): Promise<void> => {
      closing = true;
      await listener.close(GRACE_MS);
      await reader.end();
    };
    return { baseUrl, reader, listener, close };
  } catch (error) {
    await reader.end();
    throw error;
  }
}

function cannotListen({ host, port }: Settings, cause: unknown): CrossfootError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CrossfootError(
    'settings_invalid',
    `The server cannot listen on ${host}, port ${port}: ${reason}.`,
    {
      hint: 'Stop what listens there, or set HOST and PORT to a free address; PORT=0 takes any free port.',
      cause,
    },
  );
}

async function checkLedger(url: string): Promise<void> {
  const client = await openClient({ ...SESSION, url, onError: () => undefined });
  try {
    await checkRoles(client);
  } finally {
    await client.end();
  }
}
