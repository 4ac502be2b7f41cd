/** A build whose connection is lost before any one of its statements publishes nothing and leaves nothing behind. */
import * as promises from 'node:fs/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TABLES } from '../../../src/tables/all.ts';
import { cutOff } from './faulty-tools.ts';
import { AT, type BuildHarness, openBuildHarness, untilNoSession } from './real-build.ts';

const HOUR = 3_600_000_000n;

let harness: BuildHarness;
let at = AT;
beforeAll(async () => {
  harness = await openBuildHarness();
});
afterAll(() => harness.close());

type Query = (...given: unknown[]) => unknown;

/** Connections that tell, before each statement, the how many-th of the build it is. */
function countedConnections(onStatement: (number: number, client: Client) => void): () => Promise<Client> {
  let statements = 0;
  return async () => {
    const client = await harness.connect();
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
  const before = await harness.build({ connect });
  // At least one per table, and what surrounds them: begin, settings, lock, snapshot, control totals, commit.
  expect(statements).toBeGreaterThan(TABLES.length + 10);

  const admin = await harness.database.admin();
  for (let lost = 1; lost <= statements; lost++) {
    at += HOUR;
    const cutting = countedConnections((number, client) => {
      if (number === lost) cutOff(client);
    });
    await expect(harness.build({ at, connect: cutting }), `at statement ${lost}`).rejects.toThrow(
      /connection|closed|stream|broke off/i,
    );
    expect((await harness.served())?.snapshot_id).toBe(before.snapshot_id);
  }
  await untilNoSession(admin);
  expect(await promises.readdir(harness.spool)).toEqual([]);

  expect((await harness.build({ at: at + HOUR })).outcome).toBe('published');
});
