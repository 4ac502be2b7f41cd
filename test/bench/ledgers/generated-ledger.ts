/** A ledger of made-up accounts of any size. Making one takes long: with a folder that is kept, a later run finds it. */
import type { Client } from 'pg';
import { asOwner } from '../../../src/run/as-owner.ts';
import { requireOwner } from '../../../src/run/databases.ts';
import type { Databases } from '../../../src/run/opened-databases.ts';
import { loadSharedRows } from '../../../src/run/demo/shared-rows.ts';
import { openClient } from '../../../src/ledger/connect.ts';
import { type SeedRequest, seedAccount, hasSharedRows } from '../../../tools/seed/seed-account.ts';

// A ledger of up to a million entries is measured with rows that all differ; of a larger one, the rest are copies.
const DRAWN_ROWS = 1_000_000;

/** As many initiatives, years and inputs as a company of so many entries has. */
export function sizeOf(rows: number): SeedRequest {
  return { rows, initiatives: Math.max(80, rows / 100), years: 5, inputs: rows * 3, seed: 1n };
}

export class GeneratedLedger {
  readonly databases: Databases;
  readonly #say: (line: string) => void;

  constructor(databases: Databases, say: (line: string) => void) {
    this.databases = databases;
    this.#say = say;
  }

  /** The account of this size: an account with its name that an earlier run left, or a new account. */
  async accountOf(request: SeedRequest): Promise<bigint> {
    const name = `size ${Object.values(request).join(' ')}`;
    return asOwner(this.databases, 'crossfoot bench', async (owner) => {
      const account = await this.#foundOrMade(owner, name, request);
      // As any ledger is that has been running for an hour; one that runs for its measuring alone is never come to.
      await owner.query('vacuum (analyze)');
      return account;
    });
  }

  async #foundOrMade(owner: Client, name: string, request: SeedRequest): Promise<bigint> {
    const { rows: found } = await owner.query<{ id: bigint }>(
      'select id from ledger.accounts where name = $1',
      [name],
    );
    if (found[0] !== undefined) return found[0].id;
    if (!(await hasSharedRows(owner))) await loadSharedRows(requireOwner(this.databases));
    const began = performance.now();
    const account = await asOwner(this.databases, 'crossfoot bench', (helper) =>
      seedAccount(owner, { ...request, drawn: DRAWN_ROWS }, () => undefined, [helper]),
    );
    await owner.query('update ledger.accounts set name = $2 where id = $1', [account, name]);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    this.#say(`generated ${request.rows} costs and value entries in ${seconds} s`);
    return account;
  }

  /** Runs `read` as the reader in a transaction that sees this account. */
  async asReader<Result>(account: bigint, read: (reader: Client) => Promise<Result>): Promise<Result> {
    const reader = await openClient({
      url: this.databases.ledgerUrl,
      role: 'cf_reader',
      applicationName: 'crossfoot bench',
      onError: () => undefined,
    });
    try {
      await reader.query('begin isolation level repeatable read read only');
      await reader.query(
        "select set_config('app.account_id', $1, true), set_config('timezone', 'UTC', true)",
        [account],
      );
      return await read(reader);
    } finally {
      await reader.end();
    }
  }
}
