import { expect, test } from 'vitest';
import { cacheEndedSessions } from '../../../src/serve/frame/ended-sessions.ts';

const session = { sha256: new Uint8Array(32), expires_at: 1n };

function cached() {
  const clock = { now: 1_000 };
  const store = { ended: false, down: false, asked: 0 };
  const sessions = cacheEndedSessions(
    {
      end: async () => void (store.ended = true),
      has: async () => {
        store.asked += 1;
        if (store.down) throw new Error('down');
        return store.ended;
      },
    },
    () => clock.now,
  );
  return { clock, store, sessions };
}

test('a session that goes on is looked up once in four seconds, and one ended elsewhere is over after them', async () => {
  const { clock, store, sessions } = cached();
  expect(await sessions.has(session)).toBe(false);
  store.ended = true;
  clock.now += 3_999;
  expect(await sessions.has(session)).toBe(false);
  expect(store.asked).toBe(1);
  clock.now += 1;
  expect(await sessions.has(session)).toBe(true);
});

test('a session that is ended here is over at once', async () => {
  const { sessions } = cached();
  expect(await sessions.has(session)).toBe(false);
  await sessions.end(session);
  expect(await sessions.has(session)).toBe(true);
});

test('a look-up that fails is neither an end nor a permission', async () => {
  const { clock, store, sessions } = cached();
  await sessions.has(session);
  store.down = true;
  clock.now += 4_000;
  await expect(sessions.has(session)).rejects.toThrow('down');
});
