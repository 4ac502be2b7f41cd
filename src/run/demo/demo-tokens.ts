/** Tokens for the fixture company, stored in `demo.env` so that the commands of the README work as printed. */
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Client, Pool } from 'pg';
import { findIssuer, findTokenHolder, insertToken } from '../../ledger/tokens.ts';
import { makeToken, tokenDigest, tokenKind, tokenMarks, type TokenKind } from '../../serve/auth/token.ts';

const WANTED: Readonly<Record<string, { readonly account_id: bigint; readonly kind: TokenKind }>> = {
  TOKEN: { account_id: 1n, kind: 'personal' },
  REPORTING_TOKEN: { account_id: 1n, kind: 'reporting' },
  OTHER_TOKEN: { account_id: 2n, kind: 'personal' },
  NO_API_TOKEN: { account_id: 3n, kind: 'personal' },
};
/** Only the owner may read the file: a token is a password. */
const FILE_MODE = 0o600;

export interface DemoTokens {
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly owner: Client;
  readonly reader: Pool;
}

/** Writes `demo.env`, reusing the tokens in it while they work; returns the path of the file. */
export async function writeDemoTokens({ dataDir, baseUrl, owner, reader }: DemoTokens): Promise<string> {
  const path = join(dataDir, 'demo.env');
  const known = parseEnv(await readFile(path, 'utf8').catch(() => ''));
  const lines = [`BASE_URL=${baseUrl}`];
  for (const [name, wanted] of Object.entries(WANTED)) {
    const token = (await stillValid(reader, known[name])) ?? (await issue(owner, name, wanted));
    // A ledger with a company of your own may lack the accounts of the fixtures.
    if (token !== null) lines.push(`${name}=${token}`);
  }
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, `${lines.join('\n')}\n`, { mode: FILE_MODE });
  await rename(fresh, path);
  return path;
}

async function stillValid(reader: Pool, token: string | undefined): Promise<string | null> {
  if (token === undefined || tokenKind(token) === null) return null;
  return (await findTokenHolder(reader, tokenDigest(token))) === null ? null : token;
}

async function issue(
  owner: Client,
  name: string,
  { account_id, kind }: { readonly account_id: bigint; readonly kind: TokenKind },
): Promise<string | null> {
  const issued_by_id = await findIssuer(owner, account_id);
  if (issued_by_id === null) return null;
  const token = makeToken(kind, randomBytes(32));
  await insertToken(owner, {
    account_id,
    name: `demo ${name}`,
    issued_by_id,
    kind,
    ...tokenMarks(token),
  });
  return token;
}
