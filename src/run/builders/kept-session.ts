/** One session of PostgreSQL that a builder process keeps from account to account. */
import type { Client } from 'pg';

/**
 * Ends what an account could leave in a session: a transaction, cursors, temporary tables, advisory locks and settings. The
 * role stays, because it was set when the session began.
 */
const EMPTY_SESSION = `rollback; close all; discard temp; select pg_advisory_unlock_all(); reset all`;

/**
 * Lends the kept session, or a new one if there is none: opening one and reading the catalogue again costs more than most
 * statements of a small account.
 */
export class KeptSession implements AsyncDisposable {
  readonly #open: () => Promise<Client>;
  readonly #check: (client: Client) => Promise<unknown>;
  #idle: Client | undefined;

  /** `check` throws if a session may not be used; it runs before each lending. */
  constructor(open: () => Promise<Client>, check: (client: Client) => Promise<unknown>) {
    this.#open = open;
    this.#check = check;
  }

  /** Lends a session. It belongs to the caller until `giveBack`. */
  async lend(): Promise<Client> {
    const kept = this.#idle;
    this.#idle = undefined;
    // A lost session is replaced. A session that fails its check is an error, kept or new.
    if (kept !== undefined) {
      if (await isEmptied(kept)) return await this.#checked(kept);
      await kept.end();
    }
    return await this.#checked(await this.#open());
  }

  /** Keeps the session for the next caller, without anything of this one; ends it if another one is kept or it is broken. */
  async giveBack(client: Client): Promise<void> {
    if (this.#idle === undefined && (await isEmptied(client))) this.#idle = client;
    else await client.end();
  }

  /** Runs statements in a session, and keeps it if they succeed. */
  async use<Result>(run: (client: Client) => Promise<Result>): Promise<Result> {
    const client = await this.lend();
    try {
      const result = await run(client);
      await this.giveBack(client);
      return result;
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#idle?.end();
    this.#idle = undefined;
  }

  async #checked(client: Client): Promise<Client> {
    try {
      await this.#check(client);
      return client;
    } catch (error) {
      await client.end();
      throw error;
    }
  }
}

/** Empties the session; false if it is lost. */
async function isEmptied(client: Client): Promise<boolean> {
  return await client.query(EMPTY_SESSION).then(
    () => true,
    () => false,
  );
}
