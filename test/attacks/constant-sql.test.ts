/** What a client writes never becomes part of a statement: every text of SQL is one of the program's own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAccount } from '../../src/ledger/account-session.ts';
import { TOOLS } from '../../src/serve/assistant/all.ts';
import { askingOf } from '../serve/assistant/questions.ts';
import { OPERATIONS } from '../serve/contract/contract-operations.ts';
import { bearer, fakeApp } from '../serve/fake-parts.ts';
import { type LiveCompany, openLive, tokenOf } from '../serve/live/live-company.ts';
import { rewriting } from '../serve/without-account.ts';

const CANARY = 'zq9canary';
/** What breaks a statement that is put together from text, each with the canary in it. */
const WRITTEN = [
  CANARY,
  `${CANARY}' or '1'='1`,
  `${CANARY}'; drop table ledger.accounts; --`,
  String.raw`${CANARY}\' or 1=1 --`,
  `${CANARY}") or ("1"="1`,
  `${CANARY}$$; select 1; $$`,
  `%${CANARY}_%`,
];

let company: LiveCompany;
const texts = new Set<string>();

beforeAll(async () => {
  company = await openLive();
});
afterAll(() => company.close());

function write(text: string): string {
  texts.add(text);
  return text;
}

/** The same application, whose statements are written down. */
function watched(): LiveCompany['app'] {
  const reader = company.database.pool('cf_reader');
  return fakeApp({
    authenticate: async () => ({
      token_id: 1n,
      account_id: 1n,
      user_id: 1n,
      kind: 'personal',
      api_access: true,
      reporting_enabled: true,
    }),
    inAccount: (session, run) =>
      asAccount(reader, session, (client, horizon) => run(rewriting(client, write), horizon)),
  }).app;
}

describe('A-6: SQL in a parameter', () => {
  it('stays a value on every route and every filter that takes a text', async () => {
    const app = watched();
    const live = OPERATIONS.filter(({ isPublic, path }) => !isPublic && !path.startsWith('/reporting'));
    const asked = live.flatMap(({ asked: route, query, path }) => [
      ...query.flatMap(({ name }) => WRITTEN.map((text) => `${route}?${name}=${encodeURIComponent(text)}`)),
      ...(path.includes('{id}')
        ? WRITTEN.map((text) => `/v1${path.replace('{id}', encodeURIComponent(text))}`)
        : []),
    ]);
    const answers = new Map<number, number>();
    for (const address of asked) {
      const { status } = await app.request(address, bearer(tokenOf(1)));
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
    // A text that is no day, id or cursor is refused; a metric or platform of that name is looked for, and is none.
    expect(new Set(answers.keys())).toEqual(new Set([200, 400, 404]));
    expect([...texts].filter((text) => text.includes(CANARY))).toEqual([]);
  });

  it('stays a value in every argument of every tool', async () => {
    const asking = askingOf({ ...company, app: watched() });
    for (const { name } of TOOLS) {
      for (const text of WRITTEN) {
        for (const argument of ['query', 'slug', 'platform', 'status', 'window'])
          await asking.call(name, { [argument]: text });
      }
    }
    expect([...texts].filter((text) => text.includes(CANARY))).toEqual([]);
    expect(texts.size).toBeGreaterThan(5);
  });
});
