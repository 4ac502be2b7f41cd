/**
 * `npm run campaign -- clients`: runs each snippet of the documentation with its client against this program, over
 * HTTP, then whole tools, and writes the page that shows them. Exits 1 if a client did not read every row, and 2 without
 * its packages; the page is then left as it is.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ARTICLE, article, FAILS, type Outcome } from './article.ts';
import { type Company, openCompany } from './company.ts';
import { installDbtUtils, makeClassPath, type Made, makePython } from './packages.ts';
import { CLIENTS, type ClientSnippets, WAYS } from './snippets.ts';
import { type Tools, WHOLE_RUNS } from './whole-runs.ts';

const TOP = resolve(import.meta.dirname, '../..');
const LONGEST_MS = 120_000;

const root = mkdtempSync(join(tmpdir(), 'crossfoot-clients-'));
const lacking: string[] = [];

/** The path of what was made; without it the campaign has nothing to run. */
function must(made: Made): string {
  if ('path' in made) return made.path;
  process.stderr.write(`${made.missing}\n`);
  rmSync(root, { recursive: true, force: true });
  process.exit(2);
}

/** The path of what was made; without it the clients that need it are not run. */
function may(made: Made): string | undefined {
  if ('path' in made) return made.path;
  lacking.push(made.missing);
  return undefined;
}

/** Prepares the folder of a snippet; gives why its client cannot be tried. */
function missing({ runs, needs }: ClientSnippets, folder: string): string | undefined {
  if (runs !== 'node') return undefined;
  if (needs === undefined) {
    symlinkSync(join(TOP, 'node_modules'), join(folder, 'node_modules'));
    return undefined;
  }
  // Not among our own packages, because its platforms leave holes in the lock file.
  const added = spawnSync('npm', ['install', '--no-save', '--prefix', folder, needs], {
    timeout: LONGEST_MS,
  });
  return added.status === 0 ? undefined : `${needs} cannot be had from npm.`;
}

/** What comes of one snippet. */
function run(
  { runs }: ClientSnippets,
  code: string,
  folder: string,
  company: Company,
  tools: Tools,
): Outcome {
  const file = join(folder, { node: 'snippet.mjs', bash: 'snippet.sh', python3: 'snippet.py' }[runs]);
  writeFileSync(file, runs === 'bash' ? `set -euo pipefail\n${code}\n` : `${code}\n`);
  const { stdout, stderr } = spawnSync(runs === 'python3' ? tools.python : runs, [file], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, JARS: tools.jars, ...company.env },
    timeout: LONGEST_MS,
  });
  if (stdout.trim() === company.rows) return 'works';
  process.stderr.write(`${stderr}\n`);
  return FAILS;
}

function runSnippets(company: Company, tools: Tools): ReadonlyMap<string, readonly Outcome[]> {
  const outcomes = new Map<string, readonly Outcome[]>();
  for (const [index, client] of CLIENTS.entries()) {
    const folder = join(root, String(index));
    mkdirSync(folder);
    const absent = client.needs === 'pyspark' && tools.jars === '' ? 'no jars' : missing(client, folder);
    if (absent !== undefined) lacking.push(absent);
    const cells = WAYS.map((way) => {
      const code = client.code(way);
      if (code === null) return 'cannot';
      return absent === undefined ? run(client, code, folder, company, tools) : 'not run';
    });
    outcomes.set(client.client, cells);
    process.stdout.write(`${client.client}: ${cells.join(', ')}\n`);
  }
  return outcomes;
}

async function runWhole(company: Company, tools: Tools): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const [index, { title, run: runs, needs }] of WHOLE_RUNS.entries()) {
    const folder = join(root, `whole-${index}`);
    mkdirSync(folder);
    let outcome: Outcome = 'not run';
    if (needs === undefined || tools[needs] !== '') {
      outcome = await runs(company, tools, folder).catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        return FAILS;
      });
    }
    outcomes.set(title, outcome);
    process.stdout.write(`${title}: ${outcome}\n`);
  }
  return outcomes;
}

/** The versions of packages in the environment of a program. */
function installed(program: string, ...names: readonly string[]): readonly string[] {
  const code = `import importlib.metadata as installed
for name in ${JSON.stringify(names)}: print(name, installed.version(name))`;
  const { stdout } = spawnSync(join(program, '../python'), ['-c', code], { encoding: 'utf8' });
  return stdout.trim().split('\n');
}

/** Of Python, of its modules, of the other tools, and the names of the jars. */
function versionsOf({ python, dbt, datacontract, frictionless, jars }: Tools): string {
  const modules = CLIENTS.flatMap(({ runs, needs = '' }) => (runs === 'python3' ? [needs] : []));
  const { stdout } = spawnSync(python, ['--version'], { encoding: 'utf8' });
  const named = jars.split(',').map((jar) => basename(jar, '.jar'));
  return [
    [`Node ${process.versions.node} on ${process.platform}`, stdout.trim()],
    installed(python, ...new Set(modules)),
    named,
    installed(dbt, 'dbt-core', 'dbt-duckdb'),
    [...installed(datacontract, 'datacontract-cli'), ...installed(frictionless, 'frictionless')],
  ]
    .map((group) => group.join(', '))
    .join('; ');
}

const inEnvironment = (name: string): string => must(makePython(name, join(root, `python-${name}`)));
const dbt = join(inEnvironment('dbt'), 'dbt');
const tools: Tools = {
  python: join(inEnvironment('clients'), 'python'),
  nextDuckdb: join(inEnvironment('duckdb2'), 'python'),
  dbt,
  datacontract: join(inEnvironment('datacontract'), 'datacontract'),
  frictionless: join(inEnvironment('frictionless'), 'frictionless'),
  jars: may(makeClassPath(join(root, 'jars'))) ?? '',
  project: may(installDbtUtils(join(root, 'dbt'), dbt)) ?? '',
};
try {
  await using company = await openCompany(join(root, 'data'));
  const snippets = runSnippets(company, tools);
  const wholeRuns = await runWhole(company, tools);
  const failed = [...snippets.values(), ...wholeRuns.values()].flat().includes(FAILS);
  for (const sentence of lacking) process.stderr.write(`${sentence}\n`);
  if (lacking.length === 0) {
    writeFileSync(join(TOP, ARTICLE), article(snippets, wholeRuns, versionsOf(tools)));
  }
  process.exitCode = failed ? 1 : lacking.length > 0 ? 2 : 0;
} finally {
  rmSync(root, { recursive: true, force: true });
}
