/** Heavy figures over HTTP: how many an account may have under way, and in which sessions they are read. */
import { expect, it } from 'vitest';
import type { AccountSession } from '../../../src/ledger/account-session.ts';
import { TOKENS, bearer, fakeApp } from '../fake-parts.ts';

/** Notes every session that is asked for and answers none of them before it is told to. */
function stuckLedger() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const sessions: AccountSession[] = [];
  const { app } = fakeApp({
    inAccount: async (session) => {
      sessions.push(session);
      await promise;
      throw new Error('the ledger was let go');
    },
  });
  const ask = (path: string, token = TOKENS.personal) => app.request(`/v1${path}`, bearer(token));
  return { ask, sessions, letGo: () => resolve(undefined) };
}

it('a request beyond the queue is refused with 429 and Retry-After, and none of another account', async () => {
  const { ask, sessions, letGo } = stuckLedger();
  // Of different initiatives, since one answer is worked out for all who ask the same: four are under way and twelve wait.
  const asked = Array.from({ length: 16 }, (_, index) => ask(`/roi?initiative_id=${index + 1}`));
  const refused = await ask('/roi?window=1yr');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await refused.json()).toEqual({
    error: { status: 429, message: expect.stringContaining('the maximum is 4') },
  });
  const others = [ask('/roi', TOKENS.other), ask('/cost_entries')];
  letGo();
  expect((await Promise.all([...asked, ...others])).map(({ status }) => status)).toEqual(
    Array.from({ length: 18 }, () => 500),
  );
  expect(sessions.filter(({ account_id }) => account_id === 7n)).toHaveLength(17);
});

it('the figures are read in sessions made for them', async () => {
  const sessions: AccountSession[] = [];
  const { app } = fakeApp({
    inAccount: async (session, run) => {
      sessions.push(session);
      // A ledger that knows no more than its horizon.
      return run({} as never, 1n);
    },
    readToday: () => Promise.reject(new Error('far enough')),
  });
  for (const path of ['/roi', '/budgets']) await app.request(`/v1${path}`, bearer(TOKENS.personal));
  const [roi, horizon, budgets] = sessions;
  expect(sessions).toHaveLength(3);
  expect(roi).toMatchObject({ forFigures: true });
  expect(horizon).not.toHaveProperty('forFigures');
  expect(budgets).toMatchObject({ forFigures: true });
});
