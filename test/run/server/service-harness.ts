/** A server in this process over a real database, and a token to call it with. */
import { randomBytes } from 'node:crypto';
import { readSettings } from '../../../src/config.ts';
import { type Service, startService } from '../../../src/run/server/service.ts';
import { findIssuer, insertToken } from '../../../src/ledger/tokens.ts';
import { createLogger } from '../../../src/log.ts';
import { makeToken, tokenMarks } from '../../../src/serve/auth/token.ts';
import { SEED } from '../../support/signing.ts';
import type { TestDatabase } from '../../support/database.ts';
import type { Environment } from '../../commands/program.ts';

/** Starts a server on a free port; `env` holds its other settings, `lines` gets its log. */
export async function startOver(
  database: TestDatabase,
  env: Environment,
  lines: string[] = [],
): Promise<Service> {
  const ledgerUrl = env['LEDGER_URL'] ?? database.url('cf_reader');
  const serviceUrl = env['DATABASE_URL'] ?? database.url('cf_service');
  return await startService({
    settings: readSettings({
      LEDGER_URL: ledgerUrl,
      DATABASE_URL: serviceUrl,
      SECRET_KEYS: 'the same key for every server of one ledger',
      SIGNING_KEYS: SEED,
      PORT: '0',
      ...env,
    }),
    ledgerUrl,
    serviceUrl,
    logger: createLogger('info', { write: (line) => lines.push(line) }),
  });
}

/** Issues a personal token of account 1. */
export async function issueToken(database: TestDatabase): Promise<{ token: string; id: bigint }> {
  const owner = await database.client('cf_owner');
  const token = makeToken('personal', randomBytes(32));
  const issued_by_id = (await findIssuer(owner, 1n)) ?? 0n;
  const named = { account_id: 1n, kind: 'personal', name: 'test', issued_by_id } as const;
  return { token, id: await insertToken(owner, { ...named, ...tokenMarks(token) }) };
}
