/** A build whose connection is lost before any one of its statements publishes nothing and leaves nothing behind. */
import * as promises from 'node:fs/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TABLES } from '../../../src/tables/all.ts';
import { cutOff } from './faulty-tools.ts';
import { AT, type BuildYard, openYard, untilNoSession } from './real-build.ts';

const HOUR = 3_600_000_000n;

let yard: BuildYard;
let at = AT;
beforeAll(async () => {
  yard = await openYard();
});
afterAll(() => yard.close());

type Query = (...given: unknown[]) => unknown;

/** Connections that tell, before each statement, the how many-th of the build it is. */
function countedConnections(onStatement: (number: number, client: Client) => void): () => Promise<Client> {
  let statements = 0;
  return async () => {
    const client = await yard.connect();
    const query = client.query.bind(client) as Query;
    client.query = ((...given: unknown[]) => {
      statements += 1;
      onStatement(statements, client);
      return query(...given);
    }) as typeof client.query;
    return client;
  };
}

it('serves the snapshot before, whole, wherever the connection is lost (F-5, F-6)', async () => {
  let statements = 0;
  const connect = countedConnections((number) => {
    statements = number;
  });
  const before = await yard.build({ connect });
  // At least one per table, and what surrounds them: begin, settings, lock, snapshot, control totals, commit.
  expect(statements).toBeGreaterThan(TABLES.length + 10);

  const admin = await yard.database.admin();
  for (let lost = 1; lost <= statements; lost++) {
    at += HOUR;
    const cutting = countedConnections((number, client) => {
      if (number === lost) cutOff(client);
    });
    await expect(yard.build({ at, connect: cutting }), `at statement ${lost}`).rejects.toThrow(
      /connection|closed|stream|broke off/i,
    );
    expect((await yard.served())?.snapshot_id).toBe(before.snapshot_id);
  }
  await untilNoSession(admin);
  expect(await promises.readdir(yard.spool)).toEqual([]);

  expect((await yard.build({ at: at + HOUR })).outcome).toBe('published');
});
