/** The same application three times over one ledger: with both guards between accounts, and with each of them alone. */
import type { Pool } from 'pg';
import { asAccount } from '../../src/ledger/account-session.ts';
import { openPool } from '../../src/ledger/connect.ts';
import { findTokenHolder } from '../../src/ledger/tokens.ts';
import type { Authenticate } from '../../src/serve/auth/authenticate.ts';
import { tokenDigest } from '../../src/serve/auth/token.ts';
import type { FixtureDatabase } from '../fuzz/fixture-database.ts';
import { fakeApp } from '../serve/fake-parts.ts';
import { rewriting, withoutAccount } from '../serve/without-account.ts';

type App = ReturnType<typeof fakeApp>['app'];

export interface GuardedApps extends AsyncDisposable {
  /** By which guards stand. */
  readonly apps: Readonly<Record<'both' | 'predicates' | 'row security', App>>;
}

const readToday = async (): Promise<string> => '2026-07-15';
const limits = { address: 1_000_000_000, token: 1_000_000_000 };

/** Each with one session, so that what one account leaves in it would be the next one's. */
export function openGuardedApps({ logins }: FixtureDatabase): GuardedApps {
  const open = (role: 'cf_reader' | 'cf_backup'): Pool =>
    openPool({
      url: logins[role],
      role,
      applicationName: 'crossfoot tenancy',
      max: 1,
      onError: () => undefined,
    });
  const pools = { both: open('cf_reader'), predicates: open('cf_backup'), rows: open('cf_reader') };
  const authenticate: Authenticate = (token) => findTokenHolder(pools.both, tokenDigest(token));
  const over = (pool: Pool, rewrite: (text: string) => string = (text) => text): App =>
    fakeApp({
      authenticate,
      readToday,
      limits,
      inAccount: (session, run) =>
        asAccount(pool, session, (client, horizon) => run(rewriting(client, rewrite), horizon)),
    }).app;
  return {
    apps: {
      both: over(pools.both),
      predicates: over(pools.predicates),
      'row security': over(pools.rows, (text) => withoutAccount(text)),
    },
    [Symbol.asyncDispose]: async () => {
      for (const pool of Object.values(pools)) await pool.end();
    },
  };
}
