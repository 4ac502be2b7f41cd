/** A token through a whole run: issued, used in every way, refused, revoked; and then looked for wherever it may have stayed. */
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService } from '../../src/run/server/service.ts';
import { addTokenCommand } from '../../src/commands/token.ts';
import { readSettings } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { runCommand } from '../commands/in-process.ts';
import { exchange } from '../serve/http/raw-http.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { SEED } from '../support/signing.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase('template_company');
  folder = await realpath(await mkdtemp(join(tmpdir(), 'crossfoot-canary-')));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

/** Every way to bring a token, the wrong ones too. */
function requests(token: string): readonly string[] {
  const pair = Buffer.from(`any:${token}`).toString('base64');
  const heads = [
    `Authorization: Bearer ${token}`,
    `Authorization: Basic ${pair}`,
    `Authorization: ${token}`,
    `Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}`,
    `User-Agent: ${token}`,
  ];
  const targets = ['/v1/decisions', '/v1/reporting/latest', '/mcp', `/v1/${token}`, `/v1/roi?token=${token}`];
  return targets.flatMap((target) =>
    heads.map((head) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${head}\r\n\r\n`),
  );
}

/** Every row of every table, as text. */
async function everyRow(): Promise<string> {
  const backup = await database.client('cf_backup');
  const tables = await backup.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('ledger', 'vault', 'ops')`,
  );
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await backup.query<{ row: string }>(`select told::text as row from ${name} told`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

it('A-9: a token stands after its use in no log, no table, no file and no answer, whole or encoded', async () => {
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line) => lines.push(line) });
  const urls = {
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
    LEDGER_URL: database.url('cf_reader'),
  };
  const settings = readSettings({
    DATA_DIR: folder,
    PORT: '0',
    SECRET_KEYS: 'a-key-for-this-test-alone-and-long-enough',
    ...urls,
  });
  const commands = { ...urls, OWNER_URL: database.url('cf_owner') };
  const run = (...args: readonly string[]) => runCommand(addTokenCommand, commands, 'token', ...args);
  const issued = await run('issue', '--account', '1', '--kind', 'personal', '--name', 'canary');
  const [token = ''] = issued.printed;

  const service = await startService({
    settings,
    ledgerUrl: urls.LEDGER_URL,
    serviceUrl: urls.DATABASE_URL,
    logger,
  });
  const said = [...issued.said];
  const statuses = new Set<string>();
  const ask = async (): Promise<void> => {
    for (const request of requests(token)) {
      const answer = await exchange(service.listener.port, request);
      statuses.add(answer.slice(9, 12));
      // The refusal of a parameter names the parameter, but not its value.
      said.push(answer);
    }
  };
  await ask();
  const [, id = ''] = /^token (\d+)/.exec(issued.said[0] ?? '') ?? [];
  for (const ran of [await run('revoke', id, '--account', '1'), await run('list', '--account', '1')]) {
    said.push(...ran.printed, ...ran.said);
  }
  await service[Symbol.asyncDispose]();

  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile())) {
    said.push(await readFile(join(file.parentPath, file.name), 'latin1'));
  }
  expect([...statuses].toSorted()).toEqual(['200', '400', '401', '404', '405']);
  expect(lines.length).toBeGreaterThanOrEqual(requests(token).length);
  const everything = [...said, ...lines, await everyRow()].join('\n');
  const canaries = [
    token,
    token.slice(7, -4),
    Buffer.from(token).toString('base64'),
    Buffer.from(token).toString('hex'),
  ];
  expect(canaries.filter((canary) => everything.includes(canary))).toEqual([]);
});
