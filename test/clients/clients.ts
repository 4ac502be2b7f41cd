/**
 * `npm run campaign -- clients`: runs each snippet of the documentation with its client against this program, over
 * HTTP, and writes the page that shows them. Exits 1 if a client did not read every row, and 2 without its packages.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { ARTICLE, article, type Outcome } from './article.ts';
import { makePython } from './python-environment.ts';
import { CLIENTS, type ClientSnippets, WAYS } from './snippets.ts';

const TOP = resolve(import.meta.dirname, '../..');
const LONGEST_MS = 120_000;
const NOT_AT_HAND = 'not at hand';

const manifest = z.object({
  snapshot_id: z.string(),
  tables: z.array(z.object({ name: z.string(), row_count: z.number() })),
});
const links = z.object({ links: z.array(z.object({ name: z.string(), url: z.string() })) });

/** Starts the program in that folder and gives it with what it wrote for its first readers. */
async function startProgram(folder: string): Promise<{ program: ChildProcess; env: Record<string, string> }> {
  const program = spawn('node', [join(TOP, 'src/cli.ts'), 'start'], {
    env: { ...process.env, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(program.stdout)) {
    if (line.includes('demo.env')) break;
  }
  const env = parseEnv(readFileSync(join(folder, 'demo.env'), 'utf8')) as Record<string, string>; // every line has a value
  return { program, env };
}

/** The environment of the snippets, and how many rows they should find. */
async function expectations(env: Readonly<Record<string, string>>) {
  const { BASE_URL = '', REPORTING_TOKEN: TOKEN = '' } = env;
  const ask = (url: string) => fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  const { snapshot_id, tables } = manifest.parse(await (await ask(`${BASE_URL}/reporting/latest`)).json());
  const SNAPSHOT_URL = `${BASE_URL}/reporting/snapshots/${snapshot_id}`;
  const linked = await ask(`${SNAPSHOT_URL}/links`);
  const LINK = linked.ok
    ? links.parse(await linked.json()).links.find(({ name }) => name === 'costs')?.url
    : undefined;
  const rows = tables.find(({ name }) => name === 'costs')?.row_count;
  return { rows: String(rows), env: { BASE_URL, TOKEN, SNAPSHOT_URL, ...(LINK !== undefined && { LINK }) } };
}

/** Why a client cannot be tried; undefined when it can. */
function missing({ runs, needs }: ClientSnippets, folder: string): Outcome | undefined {
  if (runs !== 'node') return undefined;
  if (needs === undefined) {
    symlinkSync(join(TOP, 'node_modules'), join(folder, 'node_modules'));
    return undefined;
  }
  // Not among our own packages, because its platforms leave holes in the lock file.
  const installed = spawnSync('npm', ['install', '--no-save', '--prefix', folder, needs], {
    timeout: LONGEST_MS,
  });
  return installed.status === 0 ? undefined : NOT_AT_HAND;
}

/** What comes of one snippet. */
function run(
  { runs }: ClientSnippets,
  code: string,
  folder: string,
  { rows, env }: Awaited<ReturnType<typeof expectations>>,
  python: string,
): Outcome {
  const file = join(folder, { node: 'snippet.mjs', bash: 'snippet.sh', python3: 'snippet.py' }[runs]);
  writeFileSync(file, runs === 'bash' ? `set -euo pipefail\n${code}\n` : `${code}\n`);
  const { stdout, stderr } = spawnSync(runs === 'python3' ? python : runs, [file], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    timeout: LONGEST_MS,
  });
  if (stdout.trim() === rows) return 'works';
  process.stderr.write(`${stderr}\n`);
  return 'FAILS';
}

/** Of Python and of its modules. */
function pythonVersions(python: string): string {
  const modules = CLIENTS.flatMap(({ runs, needs = '' }) => (runs === 'python3' ? [needs] : []));
  const code = `import importlib.metadata as installed, platform
print("Python", platform.python_version())
for name in ${JSON.stringify(modules)}:
    try:
        print(name, installed.version(name))
    except installed.PackageNotFoundError:
        pass`;
  const { stdout } = spawnSync(python, ['-c', code], { encoding: 'utf8' });
  return (stdout ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `, ${line}`)
    .join('');
}

const root = mkdtempSync(join(tmpdir(), 'crossfoot-clients-'));
const made = makePython(join(root, 'python'));
if ('missing' in made) {
  process.stderr.write(`${made.missing}\n`);
  rmSync(root, { recursive: true, force: true });
  process.exit(2);
}
const { python } = made;
const { program, env } = await startProgram(join(root, 'data'));
try {
  const expected = await expectations(env);
  const outcomes = new Map<string, readonly Outcome[]>();
  for (const [place, client] of CLIENTS.entries()) {
    const folder = join(root, String(place));
    mkdirSync(folder);
    const absent = missing(client, folder);
    const cells = WAYS.map((way) => {
      const code = client.code(way);
      if (code === null) return 'cannot';
      if (absent !== undefined) return absent;
      if (way === 'link' && !('LINK' in expected.env)) return 'no links yet';
      return run(client, code, folder, expected, python);
    });
    outcomes.set(client.client, cells);
    process.stdout.write(`${client.client}: ${cells.join(', ')}\n`);
  }
  const versions = `Node ${process.versions.node} on ${process.platform}${pythonVersions(python)}`;
  writeFileSync(join(TOP, ARTICLE), article(outcomes, versions));
  process.exitCode = [...outcomes.values()].flat().includes('FAILS') ? 1 : 0;
} finally {
  const ended = new Promise((end) => program.once('exit', end));
  program.kill('SIGTERM');
  await ended;
  rmSync(root, { recursive: true, force: true });
}
