/** `crossfoot serve` over a made-up account, in a process of its own, with limits that no measurement reaches. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asOwner } from '../../src/run/as-owner.ts';
import { findIssuer, insertToken } from '../../src/ledger/tokens.ts';
import { makeToken, tokenMarks } from '../../src/serve/auth/token.ts';
import type { GeneratedLedger } from './ledgers/generated-ledger.ts';
import { SEED } from '../support/signing.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const UNLIMITED = '999999999';

export interface ServedAccount extends AsyncDisposable {
  readonly port: number;
  /** A personal one. */
  readonly token: string;
  /** What the server holds now. */
  rssBytes(): Promise<number>;
}

/** Serves the snapshots below `folder/store` and the API of the ledger. */
export async function serveAccount(
  { databases }: GeneratedLedger,
  account: bigint,
  folder: string,
): Promise<ServedAccount> {
  const token = await issueToken(databases, account);
  const child = spawn(join(TOP, 'bin/crossfoot'), ['serve'], {
    cwd: TOP,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      LEDGER_URL: databases.ledgerUrl,
      DATABASE_URL: databases.serviceUrl,
      SIGNING_KEYS: SEED,
      OBJECT_STORE: pathToFileURL(join(folder, 'store')).href,
      PORT: '0',
      SECRET_KEYS: 'the key of a server that is measured',
      ADDRESS_REQUESTS_PER_MINUTE: UNLIMITED,
      TOKEN_REQUESTS_PER_MINUTE: UNLIMITED,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    port: await portOf(child),
    token,
    rssBytes: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
    },
    [Symbol.asyncDispose]: async () => {
      const exited = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function issueToken(databases: GeneratedLedger['databases'], account: bigint): Promise<string> {
  return asOwner(databases, 'crossfoot bench', async (owner) => {
    const issued_by_id = await findIssuer(owner, account);
    if (issued_by_id === null) throw new Error(`account ${account} has no person who may issue a token`);
    const token = makeToken('personal', randomBytes(32));
    const marks = tokenMarks(token);
    await insertToken(owner, {
      account_id: account,
      kind: 'personal',
      name: 'bench',
      issued_by_id,
      ...marks,
    });
    return token;
  });
}

/** The port that a server says it is ready on. */
export async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error('the output of the server is not piped');
  for await (const line of createInterface(stdout)) {
    const port = /^ready http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    stdout.resume();
    return Number(port);
  }
  throw new Error('the server ended before it was ready');
}
