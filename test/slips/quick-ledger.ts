/** Drawn files and the empty ledger that they are loaded into, for the tests of a file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Chance, chanceOf } from '../chaos/chance.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { addInitiative, foundAccount } from '../support/ledger-rows.ts';
import { quickFolder } from '../support/quick-folder.ts';

export interface QuickLedger {
  readonly url: string;
  readonly owner: Client;
  /** For the drawn files. */
  readonly folder: string;
}

/** Makes the ledger and the folder before the tests of the file; returns what gives them. */
export function quickLedger(): () => QuickLedger {
  let database: TestDatabase;
  let ledger: QuickLedger;
  beforeAll(async () => {
    database = await createDatabase();
    ledger = {
      url: database.url('cf_owner'),
      owner: await database.client('cf_owner'),
      folder: await mkdtemp(join(quickFolder(), 'crossfoot-drawn-')),
    };
  });
  afterAll(async () => {
    await database.drop();
    await rm(ledger.folder, { recursive: true });
  });
  return () => ledger;
}

/** A new account with the initiative that all drawn rows name. */
export async function drawnAccount({ owner }: QuickLedger): Promise<bigint> {
  const { account } = await foundAccount(owner);
  await addInitiative(owner, account, { title: 'Mail' });
  return account;
}

interface Compared {
  readonly found: object;
  readonly right: object;
}

/** What is found of each drawn ledger, beside what was meant. */
export async function drawnLedgers(
  [from, through]: readonly [from: number, through: number],
  draw: (chance: Chance) => Promise<Compared>,
): Promise<readonly Compared[]> {
  const ledgers: Compared[] = [];
  for (let seed = from; seed <= through; seed += 1) {
    const { found, right } = await draw(chanceOf(seed));
    ledgers.push({ found: { seed, ...found }, right: { seed, ...right } });
  }
  return ledgers;
}
