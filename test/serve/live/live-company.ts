/** The application over a real ledger: the fixture company, with a token of each account. */
import type { ClientBase, QueryResult } from 'pg';
import { asAccount } from '../../../src/ledger/account-session.ts';
import { readWriteHorizon } from '../../../src/ledger/write-horizon.ts';
import type { TokenHolder } from '../../../src/ledger/tokens.ts';
import { makeToken } from '../../../src/serve/auth/token.ts';
import type { AppParts } from '../../../src/serve/app.ts';
import { type Template, type TestDatabase, createDatabase } from '../../support/database.ts';
import { bearer, fakeApp } from '../fake-parts.ts';

/** The personal token of an account of the fixture. */
export function tokenOf(account_id: number): string {
  return makeToken('personal', new Uint8Array(32).fill(account_id));
}

const holders = new Map<string, TokenHolder>(
  [1, 2, 3].map((account_id) => [
    tokenOf(account_id),
    {
      token_id: BigInt(account_id),
      account_id: BigInt(account_id),
      user_id: 1n,
      kind: 'personal',
      api_access: true,
      reporting_enabled: true,
    },
  ]),
);

export interface LiveCompany {
  readonly database: TestDatabase;
  readonly app: ReturnType<typeof fakeApp>['app'];
  /** Asks as an account of the fixture: status and body. */
  ask(path: string, account_id?: number): Promise<{ readonly status: number; readonly body: unknown }>;
  close(): Promise<void>;
}

type Query = (text: string, values?: unknown[]) => Promise<QueryResult>;

/** Stands between the routes and the ledger: for mutants, whose queries are others or in another order. */
type Between = (query: Query) => Query;

/** Clones the template and answers from it as the reader. */
export async function openLive(
  template: Template = 'template_company',
  replaced: Partial<AppParts> = {},
  between?: Between,
): Promise<LiveCompany> {
  const database = await createDatabase(template);
  const reader = database.pool('cf_reader');
  const { app } = fakeApp({
    authenticate: async (text) => holders.get(text) ?? null,
    inAccount: (session, run) =>
      between === undefined
        ? asAccount(reader, session, run)
        : asAccount(reader, { ...session, withHorizon: false }, async (client) => {
            const query = between((text, values) => client.query(text, values));
            const hooked = { query } as unknown as ClientBase; // of a client, lists call nothing else
            return await run(hooked, session.withHorizon === true ? await readWriteHorizon(hooked) : null);
          }),
    ...replaced,
  });
  return {
    database,
    app,
    ask: async (path, account_id = 1) => {
      const response = await app.request(`/v1${path}`, bearer(tokenOf(account_id)));
      return { status: response.status, body: await response.json() };
    },
    close: () => database.drop(),
  };
}
