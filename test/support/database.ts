/** A database of a test file's own, cloned from a template, with every connection to it closed and counted. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Pool } from 'pg';
import { inject } from 'vitest';
import { openClient, openPool } from '../../src/ledger/connect.ts';
import { TYPE_PARSERS } from '../../src/ledger/type-parsers.ts';
import { type Cluster, type Login, asAdmin, createDatabase as clone, databaseUrl } from './cluster.ts';

/** `template0` is empty but for the cluster's roles. */
export type Template = 'template0' | 'template_ledger' | 'template_company';

export interface TestDatabase {
  readonly name: string;
  /** The URL of this database for one of the product's logins. */
  url(role: Login): string;
  /** The superuser's URL: for migrating, and for faults that only an administrator can cause. */
  readonly adminUrl: string;
  /** A pool of the product, as that role; closed by `drop`. */
  pool(role: Login, max?: number): Pool;
  /** A connection of the product, as that role; closed by `drop`. */
  client(role: Login): Promise<Client>;
  /** A superuser's connection, for faults only: terminated sessions, rewritten tables. Closed by `drop`. */
  admin(): Promise<Client>;
  /** Closes what was opened here and removes the database; fails if a connection opened elsewhere is left so long. */
  drop(leaving_ms?: number): Promise<void>;
}

// A session that was closed leaves the server's list a moment after its socket.
const LEAVING_LIMIT_MS = 5_000;
const POLL_MS = 10;

/** Clones a template for this test file, or on the cluster of a campaign, which no test run provides. */
export async function createDatabase(
  template: Template = 'template_ledger',
  cluster: Cluster = inject('cluster'),
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await clone(cluster.adminUrl, name, template);
  const opened: { end(): Promise<void> }[] = [];
  const keep = <Opened extends { end(): Promise<void> }>(connection: Opened): Opened => {
    opened.push(connection);
    return connection;
  };
  const url = (role: Login): string => databaseUrl(cluster.logins[role], name);
  // A test that cuts a connection says so by its own expectations.
  const options = (role: Login) => ({
    url: url(role),
    role,
    applicationName: `test ${role}`,
    onError: ignore,
  });
  const adminUrl = databaseUrl(cluster.adminUrl, name);
  return {
    name,
    url,
    adminUrl,
    pool: (role, max = 4) => keep(openPool({ ...options(role), max })),
    client: async (role) => keep(await openClient(options(role))),
    admin: async () => {
      const client = keep(new Client({ connectionString: adminUrl, types: TYPE_PARSERS }));
      client.on('error', ignore);
      await client.connect();
      return client;
    },
    drop: async (leaving_ms = LEAVING_LIMIT_MS) => {
      const ended = Promise.all(opened.map((connection) => connection.end().catch(ignore)));
      // A pool ends only when its last client was given back: a client that was not is reported below.
      await Promise.race([ended, sleep(leaving_ms, undefined, { ref: false })]);
      const left = await asAdmin(cluster.adminUrl, async (admin) => {
        const sessions = await leftSessions(admin, name, leaving_ms);
        await admin.query(`drop database ${name} with (force)`);
        return sessions;
      });
      if (left.length > 0) throw new Error(`${left.length} connections were left open: ${left.join('; ')}`);
    },
  };
}

async function leftSessions(admin: Client, name: string, leaving_ms: number): Promise<readonly string[]> {
  for (let waited = 0; ; waited += POLL_MS) {
    const { rows } = await admin.query<{ session: string }>(
      `select concat_ws(', ', application_name, usename, state, left(query, 80)) as session
       from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [name],
    );
    if (rows.length === 0 || waited >= leaving_ms) return rows.map((row) => row.session);
    await sleep(POLL_MS);
  }
}

function ignore(): void {
  return undefined;
}
