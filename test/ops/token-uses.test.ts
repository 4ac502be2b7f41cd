import { randomBytes } from 'node:crypto';
import type { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertToken, listTokens } from '../../src/ledger/tokens.ts';
import { createLogger } from '../../src/log.ts';
import { keepTokenUses, readLastUsed } from '../../src/ops/token-uses.ts';
import { makeToken, tokenMarks } from '../../src/serve/auth/token.ts';
import { noteTokenUses } from '../../src/serve/auth/token-uses.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
let owner: Client;
let service: Pool;
let token_id: bigint;
let other_id: bigint;
const account_id = 1n;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  service = database.pool('cf_service');
  await owner.query(`
    insert into ledger.accounts (id, name, plan, plan_includes_api, app_url) values (1, 'One', 'team', true, 'https://x.example');
    insert into ledger.users (id, name) values (1, 'Ada');
    insert into ledger.memberships (account_id, user_id, role) values (1, 1, 'owner')`);
  [token_id, other_id] = [await issue(), await issue()];
});
afterAll(() => database.drop());

function issue(): Promise<bigint> {
  const marks = tokenMarks(makeToken('personal', randomBytes(32)));
  return insertToken(owner, { account_id, kind: 'personal', name: 'test', issued_by_id: 1n, ...marks });
}

async function lastUses(): Promise<readonly (bigint | null)[]> {
  return (await listTokens(owner, account_id)).map(({ last_used_at }) => last_used_at);
}

describe('the last use of a token', () => {
  it('is kept to the microsecond, as the role that writes, and only ever moves forward', async () => {
    const at = 1_795_000_000_123_456n; // 18 November 2026
    await keepTokenUses(service, [
      { account_id, token_id, last_used_at: at },
      { account_id, token_id: other_id, last_used_at: at - 1n },
    ]);
    expect(await lastUses()).toEqual([at, at - 1n]);
    await keepTokenUses(service, [{ account_id, token_id, last_used_at: at - 5n }]);
    expect(await lastUses()).toEqual([at, at - 1n]);
  });

  it('says which account was used last; none before the first use', async () => {
    await service.query('delete from ops.token_uses');
    expect(await readLastUsed(service)).toBe(null);
    await keepTokenUses(service, [
      { account_id, token_id, last_used_at: 3n },
      { account_id, token_id: other_id, last_used_at: 2n },
    ]);
    expect(await readLastUsed(service)).toBe(account_id);
  });

  it('is written once for any number of uses, when it is flushed and not before', async () => {
    const kept: unknown[] = [];
    const notes = noteTokenUses(async (uses) => void kept.push(uses), createLogger('silent'));
    for (let times = 1n; times <= 1_000n; times += 1n) {
      notes.note({ account_id, token_id, last_used_at: times });
    }
    expect(kept).toEqual([]);
    await notes.flush();
    await notes.flush();
    expect(kept).toEqual([[{ account_id, token_id, last_used_at: 1_000n }]]);
  });

  it('stays noted while the database is away, and a later use is not undone by it', async () => {
    let down = true;
    const kept: unknown[] = [];
    const notes = noteTokenUses(async (uses) => {
      if (down) throw new Error('connection refused');
      kept.push(uses);
    }, createLogger('silent'));
    notes.note({ account_id, token_id, last_used_at: 1n });
    notes.note({ account_id, token_id: other_id, last_used_at: 2n });
    const failing = notes.flush();
    notes.note({ account_id, token_id, last_used_at: 3n });
    await failing;
    down = false;
    await notes.flush();
    expect(kept).toEqual([
      [
        { account_id, token_id, last_used_at: 3n },
        { account_id, token_id: other_id, last_used_at: 2n },
      ],
    ]);
  });

  it('of a token that was deleted is given up, so that it does not hold back the others for ever', async () => {
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => lines.push(line) });
    const notes = noteTokenUses((uses) => keepTokenUses(service, uses), logger);
    notes.note({ account_id, token_id: 999n, last_used_at: 1n });
    await notes.flush();
    expect(lines).toHaveLength(1);
    const now = 1_796_000_000_000_000n;
    notes.note({ account_id, token_id, last_used_at: now });
    await notes.flush();
    expect(lines).toHaveLength(1);
    expect((await lastUses())[0]).toBe(now);
  });
});
