/** The running server: the application over the real ledger and store, listening. */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { publicBaseUrl, type Settings } from '../config.ts';
import { openPool } from '../ledger/connect.ts';
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
// Ctrl-C promises an end within five seconds, and the embedded database needs some of them.
const GRACE_MS = 2_000;

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
  const store = await openObjectStore(settings.objectStore);
  const reader = openPool({
    url: ledgerUrl,
    role: 'cf_reader',
    applicationName: 'crossfoot serve',
    max: MOST_SESSIONS,
    onError: (error) => logger.warn('connection.lost', errorFields(error)),
  });
  try {
    await checkPool(reader);
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
    const listener = await listen(app.fetch, { host: settings.host, port: settings.port, logger });
    baseUrl = publicBaseUrl(settings, listener.port);
    logger.info('server.started', { port: listener.port, url: baseUrl });
    const close = async (): Promise<void> => {
      await listener.close(GRACE_MS);
      await reader.end();
    };
    return { baseUrl, reader, listener, close };
  } catch (error) {
    await reader.end();
    throw error;
  }
}

async function checkPool(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await checkRoles(client);
  } finally {
    client.release();
  }
}
