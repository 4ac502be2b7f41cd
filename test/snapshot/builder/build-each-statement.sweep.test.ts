/** A build whose connection is lost before any one of its statements publishes nothing and leaves nothing behind. */
import * as promises from 'node:fs/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TABLES } from '../../../src/tables/all.ts';
import { cutOff } from './faulty-tools.ts';
import { openPartlyAudited } from '../audit/partly-audited.ts';
import { AT, type BuildHarness, untilNoSession } from './real-build.ts';

const HOUR = 3_600_000_000n;

let harness: BuildHarness;
let before: string;
let statements = 0;
let at = AT;
beforeAll(async () => {
  harness = await openPartlyAudited();
  const connect = countedConnections((number) => {
    statements = number;
  });
  before = (await harness.build({ connect })).snapshot_id;
});
afterAll(() => harness.close());

it('the statements of a build are counted: at least one per table, and those around them', () => {
  // Begin, settings, lock, snapshot, control totals, commit.
  expect(statements).toBeGreaterThan(TABLES.length + 10);
});

type Query = (...given: unknown[]) => unknown;

/** Connections that tell, before each statement, the how many-th of the build it is. */
function countedConnections(onStatement: (number: number, client: Client) => void): () => Promise<Client> {
  let begun = 0;
  return async () => {
    const client = await harness.connect();
    const query = client.query.bind(client) as Query;
    client.query = ((...given: unknown[]) => {
      begun += 1;
      onStatement(begun, client);
      return query(...given);
    }) as typeof client.query;
    return client;
  };
}

const PARTS = 8;

it.each(Array.from({ length: PARTS }, (_, part) => part + 1))(
  'the store serves the earlier snapshot, whole, after a lost connection (F-5, F-6): at statement %i and each eighth from there',
  async (first) => {
    for (let lost = first; lost <= statements; lost += PARTS) {
      at += HOUR;
      const cutting = countedConnections((number, client) => {
        if (number === lost) cutOff(client);
      });
      await expect(harness.build({ at, connect: cutting }), `at statement ${lost}`).rejects.toThrow(
        /connection|closed|stream|broke off/i,
      );
      expect((await harness.served())?.snapshot_id).toBe(before);
    }
  },
);

it('the failed builds leave no session and no file, and the next build publishes', async () => {
  await untilNoSession(await harness.database.admin());
  expect(await promises.readdir(harness.spool)).toEqual([]);
  expect((await harness.build({ at: at + HOUR })).outcome).toBe('published');
});
