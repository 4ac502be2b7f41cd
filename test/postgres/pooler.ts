/**
 * `npm run campaign -- pooler`: `serve` and `build` through a real PgBouncer in transaction mode with two sessions, their
 * answers beside those without it, and the refusals of all that cannot go through. Exits 2 where `pgbouncer` is missing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findIssuer, insertToken } from '../../src/ledger/tokens.ts';
import { openClient } from '../../src/ledger/connect.ts';
import { makeToken, tokenMarks } from '../../src/serve/auth/token.ts';
import { Folder } from '../commands/instances.ts';
import { asAdmin, databaseUrl, startCluster } from '../support/cluster.ts';
import { freePort } from '../support/free-port.ts';
import { SEED } from '../support/signing.ts';

const ROUNDS = 100;
const LISTS = ['/cost_entries', '/initiatives', '/value_entries', '/roi', '/budgets'];
/** PgBouncer refuses to run as root. */
const UNPRIVILEGED = 65_534;
const DROPS_OPTIONS = 'ignore_startup_parameters = options';

let failed = 0;
function shows(what: string, holds: boolean, found?: unknown): void {
  process.stdout.write(`${holds ? 'ok' : 'FAILED'}: ${what}${holds ? '' : ` ${JSON.stringify(found)}`}\n`);
  if (!holds) failed += 1;
}

interface Pooler extends AsyncDisposable {
  readonly through: (url: string) => string;
}

/** PgBouncer in transaction mode before the server of these URLs, with two sessions for each login. */
async function startPooler(logins: readonly string[], options: string): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-pooler-'));
  const [port, server] = [await freePort(), new URL(logins[0] ?? '')];
  const users = logins
    .map((login) => new URL(login))
    .map(({ username, password }) => `"${username}" "${password}"\n`);
  await writeFile(join(folder, 'users.txt'), users.join(''));
  const ini = `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 2
${options}
`;
  await writeFile(join(folder, 'pgbouncer.ini'), ini);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    await chmod(folder, 0o755);
    await chown(join(folder, 'users.txt'), UNPRIVILEGED, UNPRIVILEGED);
  }
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.once('exit', () => reject(new Error(log)));
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('process up')) resolve();
    });
  });
  return {
    through: (url) => {
      const other = new URL(url);
      other.port = String(port);
      return other.href;
    },
    [Symbol.asyncDispose]: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

const at = (url: string): string => databaseUrl(url, 'template_company');

async function run(): Promise<number> {
  if (spawnSync('pgbouncer', ['--version']).error !== undefined) {
    process.stderr.write('pgbouncer is missing; Debian has it as a package of this name.\n');
    return 2;
  }
  await using opened = new AsyncDisposableStack();
  const cluster = await startCluster();
  opened.defer(cluster.stop);
  const folder = opened.use(await Folder.make());
  const loginUrl = (login: string): string => {
    const url = new URL(at(cluster.adminUrl));
    Object.assign(url, { username: login, password: 'pooled' });
    return url.href;
  };
  const [reads, writes, owns] = ['pooled_reader', 'pooled_service', 'pooled_owner'].map(loginUrl) as [
    string,
    string,
    string,
  ];
  const admin = (statements: string): Promise<unknown> =>
    asAdmin(at(cluster.adminUrl), (client) => client.query(statements));
  await admin(`create role pooled_reader login password 'pooled' in role cf_reader;
    create role pooled_service login password 'pooled' in role cf_service;
    create role pooled_owner login password 'pooled' in role cf_owner`);
  const env = {
    SIGNING_KEYS: SEED,
    SECRET_KEYS: 'the same key for every server of one ledger',
    LOG_LEVEL: 'warn',
    APP_URL: 'http://pooled',
  };
  const direct = { ...env, LEDGER_URL: reads, DATABASE_URL: writes, OWNER_URL: owns };
  const urls = [reads, writes, owns];

  {
    await using pooler = await startPooler(urls, '');
    const { code, stderr } = await folder.run(['build', '--account', '1'], {
      ...direct,
      LEDGER_URL: pooler.through(reads),
    }).ended;
    shows(
      'a pooler that refuses options is named with its setting',
      code === 1 &&
        stderr.some((line) => /^\s*Set LEDGER_URL .* to the address of PostgreSQL itself\./.test(line)),
      stderr,
    );
  }

  {
    await using pooler = await startPooler(urls, DROPS_OPTIONS);
    const refused = await folder.run(['serve'], { ...direct, LEDGER_URL: pooler.through(reads) }).ended;
    shows(
      'a pooler that drops options is refused with the statements that mend it',
      refused.code === 2 &&
        refused.stderr.some((line) => line.includes("alter role pooled_reader set role = 'cf_reader';")),
      refused.stderr,
    );
  }
  await admin(`alter role pooled_reader set role = 'cf_reader'; alter role pooled_service set role = 'cf_service';
    alter role pooled_reader set timezone = 'UTC'; alter role pooled_service set timezone = 'UTC';
    alter role pooled_reader set app.app_url = 'http://pooled'; alter role pooled_owner set role = 'cf_owner'`);

  await using pooler = await startPooler(urls, DROPS_OPTIONS);
  const pooled = { ...direct, LEDGER_URL: pooler.through(reads), DATABASE_URL: pooler.through(writes) };
  for (const args of [['migrate'], ['rates', 'convert']]) {
    const { code, stderr } = await folder.run(args, { ...direct, OWNER_URL: pooler.through(owns) }).ended;
    shows(
      `${args.join(' ')} is refused through a pooler`,
      code === 2 && stderr.some((line) => line.includes('Set OWNER_URL to the address of PostgreSQL itself')),
      stderr,
    );
  }

  const built = await folder.run(['build', '--account', '1'], pooled).ended;
  shows(
    'build publishes through a pooler',
    built.code === 0 && built.stdout.at(-1)?.includes('published') === true,
    built,
  );

  const queued = await folder.run(['enqueue'], pooled).ended;
  const worked = await folder.run(['work', '--until-empty'], pooled).ended;
  const listed = await folder.run(['snapshots', '--account', '2', '--json'], pooled).ended;
  shows(
    'a worker builds a queued night through a pooler',
    queued.code === 0 && worked.code === 0 && listed.stdout.join('').includes('"seq": 1,'),
    { queued, worked, listed },
  );

  await using owner = await openClient({ url: owns, role: 'cf_owner', applicationName: 'campaign' });
  const tokens = await Promise.all(
    [1n, 2n].map(async (account_id) => {
      const token = makeToken('personal', randomBytes(32));
      const issued_by_id = (await findIssuer(owner, account_id)) ?? 0n;
      await insertToken(owner, {
        account_id,
        name: 'pooler',
        issued_by_id,
        kind: 'personal',
        ...tokenMarks(token),
      });
      return token;
    }),
  );
  const bodies = async (
    given: typeof direct,
    rounds: number,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
    const server = folder.run(['serve'], {
      ...given,
      TOKEN_REQUESTS_PER_MINUTE: '100000',
      ADDRESS_REQUESTS_PER_MINUTE: '100000',
    });
    const address = (await server.said(/^ready /)).replace('ready ', '');
    const asked = tokens.flatMap((token, account) => LISTS.map((path) => ({ token, account, path })));
    const answers: { readonly key: string; readonly body: string }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const together = asked.map(async ({ token, account, path }) => {
        const answer = await fetch(`${address}/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
        return { key: `${account} ${path}`, body: `${answer.status} ${await answer.text()}` };
      });
      answers.push(...(await Promise.all(together)));
    }
    server.signal('SIGTERM');
    await server.ended;
    return new Map(
      [...Map.groupBy(answers, ({ key }) => key)].map(([key, all]) => [
        key,
        new Set(all.map(({ body }) => body)),
      ]),
    );
  };
  const [expected, found] = [await bodies(direct, 1), await bodies(pooled, ROUNDS)];
  const wrong = [...expected].filter(
    ([key, [body = '']]) =>
      found.get(key)?.size !== 1 || !found.get(key)?.has(body) || !body.startsWith('200 '),
  );
  shows(
    `${ROUNDS * expected.size} answers for two accounts over two sessions are those of a server without a pooler`,
    wrong.length === 0,
    wrong.map(([key]) => [key, [...(found.get(key) ?? [])].map((body) => body.slice(0, 200))]),
  );
  return failed === 0 ? 0 : 1;
}

process.exitCode = await run();
