/**
 * `npm run campaign -- compose`: every service of compose.yaml as a process of this machine, with exactly its variables; only
 * hosts, ports and folders are others. From nothing to a published snapshot that the server gives, and that the worker delivers.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { asAdmin, startCluster } from '../support/cluster.ts';
import { freePort } from '../support/free-port.ts';

interface Service {
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const GATEWAY = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const PATIENCE_MS = 120_000;

const { services } = parse(await readFile(join(TOP, 'compose.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const folder = await mkdtemp(join(tmpdir(), 'crossfoot-compose-'));
const cluster = await startCluster();
const [s3Port, serverPort] = [await freePort(), await freePort()];
const started: ChildProcess[] = [];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A variable, a command or a secret with the hosts, ports and folders of this machine. */
const here = (text: string): string =>
  text
    .replace(/^\$\{\w+:-(.*)\}$/, '$1')
    .replaceAll('$$', '$')
    .replaceAll('https://s3:7070', `https://localhost:${s3Port}`)
    .replaceAll('localhost:8787', `localhost:${serverPort}`)
    .replaceAll('@db/crossfoot', `@127.0.0.1:${cluster.port()}/composed`)
    .replaceAll('/run/secrets', join(folder, 'secrets'))
    .replaceAll('/roles.sql', join(folder, 'roles.sql'))
    .replaceAll('/data', join(folder, 'data'));

/** The words and the environment of a service: its own variables, and those that its image sets. */
function processOf(name: string, args?: readonly string[]) {
  const { entrypoint = [], command = [], environment = {} } = services[name] ?? {};
  const [program = '', ...words] = [...entrypoint, ...(args ?? command)].map(here);
  const given = Object.entries(environment).map(([key, value]) => [key, here(value)] as const);
  const path = [join(TOP, 'node_modules/.bin'), folder, process.env['PATH']].join(delimiter);
  const image = { PATH: path, HOST: '127.0.0.1', PORT: String(serverPort), DATA_DIR: join(folder, name) };
  // The bucket of a customer is on this machine, too.
  const local = { DELIVERY_NETWORKS: '127.0.0.0/8' };
  return { program, words, options: { cwd: TOP, env: { ...image, ...local, ...Object.fromEntries(given) } } };
}

/** Runs a service that ends, and gives what it printed. */
function run(name: string, args?: readonly string[]): string {
  const { program, words, options } = processOf(name, args);
  const { status, stdout, stderr } = spawnSync(program, words, { ...options, encoding: 'utf8' });
  say(`${name} ${(args ?? []).join(' ')}: ${status}`);
  if (status !== 0) throw new Error(`${name} ${args?.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** Starts a service that stays. */
function start(name: string, more: Readonly<Record<string, string>> = {}): void {
  const { program, words, options } = processOf(name);
  const env = { LOG_LEVEL: 'warn', ...options.env, ...more };
  started.push(spawn(program, words, { ...options, env, stdio: ['ignore', 'ignore', 'inherit'] }));
  say(`${name}: started`);
}

async function until(what: string, done: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(500)) {
    if (await done().catch(() => false)) return say(what);
    if (Date.now() > end) throw new Error(`not in two minutes: ${what}`);
  }
}

/** The S3 of compose.yaml: the program that VERSITYGW names, else built of the module that its image is made of. */
function gateway(): void {
  const { VERSITYGW } = process.env;
  const made =
    VERSITYGW === undefined
      ? spawnSync('go', ['install', GATEWAY], { env: { ...process.env, GOBIN: folder }, stdio: 'inherit' })
      : spawnSync('ln', ['-s', VERSITYGW, join(folder, 'versitygw')]);
  if (made.status !== 0) throw new Error(`set VERSITYGW, or install Go to build ${GATEWAY}`);
}

try {
  gateway();
  await mkdir(join(folder, 'data/theirs'), { recursive: true });
  const script = (await readFile(join(TOP, 'deploy/secrets.sh'), 'utf8')).replace('DNS:s3', 'DNS:localhost');
  if (spawnSync('sh', ['-c', script], { cwd: folder, stdio: 'inherit' }).status !== 0)
    throw new Error('no secrets');
  for (const name of ['owner_url', 'server_url']) {
    const path = join(folder, 'secrets', name);
    await writeFile(path, here(await readFile(path, 'utf8')));
  }
  const roles = await readFile(join(TOP, 'deploy/compose-roles.sql'), 'utf8');
  await writeFile(join(folder, 'roles.sql'), here(roles));
  const password = (await readFile(join(folder, 'secrets/postgres_password'), 'utf8')).trim();
  await asAdmin(cluster.adminUrl, async (admin) => {
    await admin.query(`alter role postgres password '${password}'`);
    await admin.query('create database composed');
  });
  start('s3', { VGW_PORT: `127.0.0.1:${s3Port}` });
  run('migrate');
  run('roles');
  run('roles');
  start('server');
  start('worker', { METRICS_PORT: '0' });
  await until('the S3 and the server answer', async () =>
    run('tools', ['doctor']).includes('ok       store')
      ? (await fetch(`http://127.0.0.1:${serverPort}/healthz`)).ok
      : false,
  );
  const token = run('tools', ['account', 'add', 'Own company', '--owner-email', 'ada@example.com']).trim();
  run('tools', ['init', join(folder, 'own')]);
  run('tools', ['load', join(folder, 'own'), '--account', '1']);
  const [, secret = ''] =
    /^aws_secret_access_key = (.+)$/m.exec(await readFile(join(folder, 'secrets/s3_credentials'), 'utf8')) ??
    [];
  await writeFile(join(folder, 'their-secret'), secret);
  const key = ['--access-key', 'crossfoot', '--secret-file', join(folder, 'their-secret')];
  const bucket = ['s3://theirs/figures', '--endpoint', 'https://s3:7070', ...key];
  run('tools', ['deliver', 'add', ...bucket, '--account', '1']);
  run('tools', ['deliver', 'test', '1', '--account', '1']);
  run('tools', ['enqueue', '--account', '1']);
  const latest = () =>
    fetch(`http://127.0.0.1:${serverPort}/v1/reporting/latest`, {
      headers: { authorization: `Bearer ${token}` },
    });
  await until('the snapshot is published', async () => (await latest()).ok);
  const manifest = (await (await latest()).json()) as { tables: readonly unknown[]; snapshot_id: string };
  if (manifest.tables.length !== 14) throw new Error(`${manifest.tables.length} tables`);
  say(`snapshot ${manifest.snapshot_id} with ${manifest.tables.length} tables`);
  await until("it is delivered to the customer's bucket", async () => {
    const text = await readFile(join(folder, 'data/theirs/figures/latest.json'), 'utf8');
    return text.includes(`"snapshot_id": "${manifest.snapshot_id}"`);
  });
  say('1 passed, 0 failed');
} finally {
  // The S3 ends last: the others still write to it.
  for (const each of started.toReversed()) {
    const ended = new Promise((resolve) => void each.once('exit', resolve));
    if (each.kill('SIGTERM')) await ended;
  }
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
}
