/** The application over a real ledger on a day of the test's choosing, asked as any of its accounts. */
import type { Day } from '../../../src/figures/calendar.ts';
import { asAccount } from '../../../src/ledger/account-session.ts';
import type { AppParts } from '../../../src/serve/app.ts';
import type { TestDatabase } from '../../support/database.ts';
import { TOKENS, bearer, fakeApp } from '../fake-parts.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  /** The body as it came. */
  readonly text: string;
}

/** Asks for a path below /v1 and reads the answer as JSON. */
export type Ask = (path: string) => Promise<Answer>;

/** The application of one account; the pool is closed with the database. */
export function figuresApp(
  database: TestDatabase,
  account_id: bigint,
  today: Day,
  replaced: Partial<AppParts> = {},
): Ask {
  const pool = database.pool('cf_reader', 6);
  const { app } = fakeApp({
    authenticate: async () => ({
      token_id: 1n,
      account_id,
      user_id: 1n,
      kind: 'personal',
      api_access: true,
      reporting_enabled: true,
    }),
    inAccount: (session, run) => asAccount(pool, session, run),
    readToday: async () => today,
    ...replaced,
  });
  return async (path) => {
    const response = await app.request(`/v1${path}`, bearer(TOKENS.personal));
    const text = await response.text();
    const body = JSON.parse(text) as Record<string, unknown>; // every answer is an object
    return { status: response.status, headers: response.headers, body, text };
  };
}

/** Every row of a list, page by page. */
export async function walk(ask: Ask, path: string, limit: number): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) });
    const { status, body } = await ask(`${path}${path.includes('?') ? '&' : '?'}${query.toString()}`);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    // The envelope of a list.
    const { data, page } = body as { data: Record<string, unknown>[]; page: { next_cursor: string | null } };
    rows.push(...data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}

/** A client that keeps every row of a list and reads what changed since the highest change that it has seen. */
export function puller(path: string) {
  const rows = new Map<unknown, Record<string, unknown>>();
  let since: string | null = null;
  return {
    path,
    rows,
    async pull(ask: Ask) {
      const changed = since === null ? path : `${path}?updated_since=${since}`;
      for (const row of await walk(ask, changed, 3)) {
        rows.set(row['id'], row);
        const at = String(row['updated_at']);
        if (since === null || at > since) since = at;
      }
    },
  };
}
