/** The application over a real ledger: the fixture company, with a token of each account. */
import { asAccount } from '../../src/ledger/account-session.ts';
import type { TokenHolder } from '../../src/ledger/tokens.ts';
import { makeToken } from '../../src/serve/token.ts';
import type { AppParts } from '../../src/serve/app.ts';
import { type Template, type TestDatabase, createDatabase } from '../support/database.ts';
import { bearer, fakeApp } from './fake-parts.ts';

/** The personal token of an account of the fixture. */
export function tokenOf(accountId: number): string {
  return makeToken('personal', new Uint8Array(32).fill(accountId));
}

const holders = new Map<string, TokenHolder>(
  [1, 2, 3].map((accountId) => [
    tokenOf(accountId),
    {
      token_id: BigInt(accountId),
      account_id: BigInt(accountId),
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
  ask(path: string, accountId?: number): Promise<{ readonly status: number; readonly body: unknown }>;
  close(): Promise<void>;
}

/** Clones the template and answers from it as the reader. */
export async function openLive(
  template: Template = 'template_company',
  replaced: Partial<AppParts> = {},
): Promise<LiveCompany> {
  const database = await createDatabase(template);
  const reader = database.pool('cf_reader');
  const { app } = fakeApp({
    authenticate: async (text) => holders.get(text) ?? null,
    inAccount: (session, run) => asAccount(reader, session, run),
    ...replaced,
  });
  return {
    database,
    app,
    ask: async (path, accountId = 1) => {
      const response = await app.request(`/v1${path}`, bearer(tokenOf(accountId)));
      return { status: response.status, body: await response.json() };
    },
    close: () => database.drop(),
  };
}
