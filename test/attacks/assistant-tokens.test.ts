/** The attacks of RFC 9700 on the tokens of connected assistants, and floods of registrations, each tried. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimiter } from '../../src/serve/limits/rate-limiter.ts';
import {
  answerConsent,
  ask,
  authorizePath,
  CALLBACK,
  connect,
  KEYS,
  openConnect,
  postJson,
  register,
  renew,
  type Tokens,
} from '../serve/connect/open-connect.ts';

let ledger: Awaited<ReturnType<typeof openConnect>>;
let app: ReturnType<(typeof ledger)['open']>['app'];
let ada: Awaited<ReturnType<(typeof ledger)['issue']>>;
beforeAll(async () => {
  ledger = await openConnect();
  ({ app } = ledger.open());
});
afterAll(() => ledger.close());
beforeEach(async () => {
  ada = await ledger.issue();
});

const renewed = async (client_id: string, refresh_token: string) =>
  (await (await renew(app, client_id, refresh_token)).json()) as Tokens;

/** A client that has renewed its tokens once. */
const renewedOnce = async () => {
  const { client_id, refresh_token: old } = await connect(app, ada.token);
  return { client_id, old, next: await renewed(client_id, old) };
};

describe('A-45: a refresh token that is shown again', () => {
  it('within 30 seconds gets the same answer, also five times at the same moment', async () => {
    const { client_id, old, next } = await renewedOnce();
    const answers = await Promise.all(Array.from({ length: 5 }, () => renewed(client_id, old)));
    expect(answers).toEqual(Array.from({ length: 5 }, () => next));
    expect(await ask(app, next.access_token)).toBe(200);
    const { rows } = await ledger.owner.query(
      `select count(*)::int as stored from vault.assistant_tokens t join vault.assistant_tokens o using (account_id, grant_id)
       where o.sha256 = $1`,
      [createHash('sha256').update(old).digest()],
    );
    expect(rows).toEqual([{ stored: 4 }]); // two pairs
  });

  it('at the same moment as for the first time gets one answer', async () => {
    const { client_id, refresh_token } = await connect(app, ada.token);
    const [one, other] = await Promise.all([
      renewed(client_id, refresh_token),
      renewed(client_id, refresh_token),
    ]);
    expect(one).toEqual(other);
    expect(await ask(app, one.access_token)).toBe(200);
  });

  it('after 30 seconds ends its whole family', async () => {
    const { client_id, old, next } = await renewedOnce();
    await ledger.owner.query(
      `update vault.assistant_tokens set replaced_at = replaced_at - interval '30 seconds' where replaced_at is not null`,
    );
    expect((await renew(app, client_id, old)).status).toBe(400);
    expect(await ask(app, next.access_token)).toBe(401);
    expect((await renew(app, client_id, next.refresh_token)).status).toBe(400);
  });

  it('ends its whole family once the next token was used', async () => {
    const { client_id, old, next } = await renewedOnce();
    const last = await renewed(client_id, next.refresh_token);
    expect((await renew(app, client_id, old)).status).toBe(400);
    expect(await ask(app, last.access_token)).toBe(401);
  });

  it('by another client ends its whole family', async () => {
    const { old, next } = await renewedOnce();
    const { client_id } = await connect(app, ada.token);
    expect((await renew(app, client_id, old)).status).toBe(400);
    expect(await ask(app, next.access_token)).toBe(401);
  });
});

it('A-48: a token answers for the account of its consent only', async () => {
  const { token } = await ledger.issue(2n);
  const { access_token } = await connect(app, token);
  const { app: watched, lines } = ledger.open();
  expect(await ask(watched, access_token)).toBe(200);
  expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({ account: '2' });
});

it('A-49: a token for another assistant is refused, also with the same keys and ledger', async () => {
  const { access_token, client_id, refresh_token } = await connect(app, ada.token);
  const other = ledger.open({}, { baseUrl: 'https://other.example/v1' }).app;
  expect(await ask(other, access_token)).toBe(401);
  expect((await renew(other, client_id, refresh_token)).status).toBe(400);
  expect(await ask(app, access_token)).toBe(200);
});

it('A-50: a token of one client is no good to another, and its family ends', async () => {
  const [one, other] = [await connect(app, ada.token), await connect(app, ada.token)];
  expect((await renew(app, other.client_id, one.refresh_token)).status).toBe(400);
  expect(await ask(app, one.access_token)).toBe(401);
  expect(await ask(app, other.access_token)).toBe(200);
});

it('A-53: a person who leaves, or whose plan ends, loses the next question', async () => {
  const bo = await ledger.issue(1n, 'personal', 2n);
  const { access_token, client_id, refresh_token } = await connect(app, bo.token);
  expect(await ask(app, access_token)).toBe(200);
  await ledger.owner.query('update ledger.accounts set plan_includes_api = false where id = 1');
  expect(await ask(app, access_token)).toBe(403);
  await ledger.owner.query('update ledger.accounts set plan_includes_api = true where id = 1');
  await ledger.owner.query('update ledger.memberships set removed_at = now() where user_id = 2');
  expect(await ask(app, access_token)).toBe(401);
  expect((await renew(app, client_id, refresh_token)).status).toBe(400);
  await ledger.owner.query('update ledger.memberships set removed_at = null where user_id = 2');
});

it.each([
  ['the end of the consent', `update vault.assistant_grants set ended_at = now()`],
  ['the end of the token of the sign-in', `update vault.access_tokens set revoked_at = now()`],
  ['the expiry of the token of the sign-in', `update vault.access_tokens set expires_at = now()`],
])('A-54: a token is refused after %s', async (_, change) => {
  const { access_token, client_id, refresh_token } = await connect(app, ada.token);
  expect(await ask(app, access_token)).toBe(200);
  await ledger.owner.query(change);
  expect(await ask(app, access_token)).toBe(401);
  expect((await renew(app, client_id, refresh_token)).status).toBe(400);
});

describe('A-55: a rotated secret', () => {
  const FRESH = 'another key, also with 32 characters or more';

  it('takes the tokens of the old key until that key is removed', async () => {
    const { access_token, client_id, refresh_token } = await connect(app, ada.token);
    const rotating = ledger.open({}, { keys: [FRESH, ...KEYS] }).app;
    const rotated = ledger.open({}, { keys: [FRESH] }).app;
    expect([await ask(rotating, access_token), await ask(rotated, access_token)]).toEqual([200, 401]);
    expect((await renew(rotated, client_id, refresh_token)).status).toBe(400);
    const next = (await (await renew(rotating, client_id, refresh_token)).json()) as Tokens;
    // The next tokens are of the new key: a client that asked meanwhile stays connected.
    expect(await ask(rotated, next.access_token)).toBe(200);
    expect((await renew(rotated, client_id, next.refresh_token)).status).toBe(200);
  });

  it('is taken by a server that has it last, before the others seal with it', async () => {
    const prepared = ledger.open({}, { keys: [...KEYS, FRESH] }).app;
    const { access_token } = await connect(ledger.open({}, { keys: [FRESH, ...KEYS] }).app, ada.token);
    expect(await ask(prepared, access_token)).toBe(200);
  });
});

describe('A-56: a clock that moved', () => {
  it.each([
    ['used_at', '29 days 23:59', 200],
    ['used_at', '30 days', 401],
    ['consented_at', '89 days 23:59', 200],
    ['consented_at', '90 days', 401],
  ])('ends a consent by its times: %s of %s ago is answered %s', async (column, age, status) => {
    const { access_token, client_id, refresh_token } = await connect(app, ada.token);
    await ledger.owner.query(
      `update vault.assistant_grants set ${column} = now() - $2::interval
       where client = (select id from vault.assistant_clients where client_id = $1)`,
      [client_id, age],
    );
    expect(await ask(app, access_token)).toBe(status);
    expect((await renew(app, client_id, refresh_token)).status).toBe(status === 200 ? 200 : 400);
  });

  it('ends an access token after an hour, and a refresh token after 30 days', async () => {
    const { access_token, client_id, refresh_token } = await connect(app, ada.token);
    const { rows } = await ledger.owner.query(
      `select t.kind, round(extract(epoch from t.expires_at - g.used_at) / 60)::int as minutes
       from vault.assistant_tokens t join vault.assistant_grants g on g.id = t.grant_id
       join vault.assistant_clients c on c.id = g.client where c.client_id = $1 order by t.kind`,
      [client_id],
    );
    expect(rows).toEqual([
      { kind: 'access', minutes: 60 },
      { kind: 'refresh', minutes: 43_200 },
    ]);
    await ledger.owner.query('update vault.assistant_tokens set expires_at = now()');
    expect(await ask(app, access_token)).toBe(401);
    expect((await renew(app, client_id, refresh_token)).status).toBe(400);
  });

  it.each([-400, 400])('of the server by %s days counts for no token', async (days) => {
    const { access_token, client_id, refresh_token } = await connect(app, ada.token);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
    try {
      expect(await ask(app, access_token)).toBe(200);
      expect((await renew(app, client_id, refresh_token)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });
});

it('A-57: a token is taken by each of two servers behind one origin', async () => {
  const second = ledger.open().app;
  const { client_id, access_token, refresh_token } = await connect(app, ada.token);
  expect(await ask(second, access_token)).toBe(200);
  const next = (await (await renew(second, client_id, refresh_token)).json()) as Tokens;
  expect(await ask(app, next.access_token)).toBe(200);
});

describe('a token', () => {
  it('is looked up by an index, however many consents there are', async () => {
    await ledger.owner.query('begin');
    await ledger.owner.query(
      `with client as (insert into vault.assistant_clients (client_id, name, redirect_uris)
         values ('many', 'many', '{https://many.example/}') returning id)
       insert into vault.assistant_grants (account_id, client, token_id, code_sha256, redirect_uri, challenge)
       select 1, id, $1, sha256(n::text::bytea), 'https://many.example/', repeat('a', 43)
       from client, generate_series(1, 5000) n`,
      [ada.id],
    );
    await ledger.owner.query('analyze vault.assistant_grants');
    const { rows } = await ledger.owner.query<{ 'QUERY PLAN': string }>(
      'explain select from ops.assistant_grants_held() h where h.account_id = 1 and h.grant_id = 1',
    );
    await ledger.owner.query('rollback');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('assistant_grants_pkey');
    expect(plan).not.toContain('Function Scan');
  });

  it('or a code is stored nowhere: the ledger holds digests', async () => {
    const client_id = await register(app);
    const { to } = await answerConsent(app, ada.token, authorizePath(client_id));
    const code = to?.searchParams.get('code') ?? '';
    const { access_token, refresh_token } = await connect(app, ada.token);
    const { rows } = await ledger.owner.query<{ row: string }>(
      `select to_json(t)::text as row from vault.assistant_tokens t
       union all select to_json(g)::text from vault.assistant_grants g`,
    );
    const text = rows.map(({ row }) => row).join('');
    for (const secret of [code, access_token, refresh_token]) {
      expect(text).not.toContain(secret.slice(-20));
      expect(text).not.toContain(Buffer.from(secret.slice(-20)).toString('hex'));
    }
  });
});

/** A client that a person connected long ago: no flood takes it away. */
async function connectedBefore(): Promise<{ readonly client_id: string }> {
  const client_id = 'old and in use';
  await ledger.owner.query(
    `with client as (insert into vault.assistant_clients (client_id, name, redirect_uris, registered_at)
       values ($1, 'old', '{https://old.example/}', now() - interval '25 hours') returning id)
     insert into vault.assistant_grants (account_id, client, token_id, code_sha256, redirect_uri, challenge, code_redeemed_at)
     select 1, id, $2, sha256('old'), 'https://old.example/', repeat('a', 43), now() from client`,
    [client_id, ada.id],
  );
  return { client_id };
}

describe('A-51: a flood of registrations', () => {
  it('from one address ends after ten in a minute', async () => {
    const limited = ledger.open({ rateLimiter: createRateLimiter(() => 0) }).app;
    const statuses: number[] = [];
    for (let each = 0; each < 11; each += 1) {
      statuses.push((await postJson(limited, { redirect_uris: [CALLBACK] })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
  });

  it('from many addresses ends at 5,000 that wait, and is forgotten after a day', async () => {
    await ledger.owner.query(
      `insert into vault.assistant_clients (client_id, name, redirect_uris, registered_at)
       select 'flood ' || n, 'flood', '{https://flood.example/}', now() - interval '25 hours' from generate_series(1, 5000) n`,
    );
    const { client_id } = await connectedBefore();
    const refused = await postJson(app, { redirect_uris: [CALLBACK] });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
    await ledger.owner.query('select ops.forget_assistants()');
    expect((await postJson(app, { redirect_uris: [CALLBACK] })).status).toBe(201);
    const kept = await ledger.owner.query('select from vault.assistant_clients where client_id = $1', [
      client_id,
    ]);
    expect(kept.rowCount).toBe(1);
  });

  it('cannot send more than 8 kB each', async () => {
    const sent = await postJson(app, { redirect_uris: [CALLBACK], software_statement: 'x'.repeat(8 * 1024) });
    expect(sent.status).toBe(400);
  });
});
