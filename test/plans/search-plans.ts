/**
 * `npm run campaign -- search`: on a hundred thousand records of one account, search finds its rows through indexes
 * alone. The plans are compared with `search-plans.golden.txt`, where a search stands once for each plan that was seen;
 * one that is new is told and, with `--strict`, refused. `--update` writes the file. As the reader role and with the
 * planner's own settings; the server itself reports the plan of the statement inside the function.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { openClient } from '../../src/ledger/connect.ts';
import { openLogins } from '../../src/embedded/logins.ts';
import { startEmbedded } from '../../src/embedded/embedded.ts';
import { migrate } from '../../src/ledger/migrate/migrate.ts';
import { searchAccount } from '../../src/ledger/lists/search.ts';
import { asAdmin, createDatabase, databaseUrl } from '../support/cluster.ts';
import { inAccount } from '../support/ledger-rows.ts';
import { BIG, SMALL, fillSearchLedger } from './search-ledger.ts';

const SCHEMA = fileURLToPath(new URL('../../schema', import.meta.url));
const GOLDEN = new URL('search-plans.golden.txt', import.meta.url);
const { values } = parseArgs({
  options: { strict: { type: 'boolean', default: false }, update: { type: 'boolean', default: false } },
});

const REPORTING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice', // to the client that asked
};

/** Account, what is asked, and why. */
const QUESTIONS = [
  [BIG, 'pelican', 'a word of one title in sixty'],
  [BIG, 'pelcian', 'the same, misspelled'],
  [BIG, 'invoi', 'the beginning of a word that is in one title of eighteen'],
  [BIG, 'match invoices team 77', 'several words'],
  [BIG, 'initiative', 'a word of every description'],
  [BIG, 'te', 'two letters'],
  [BIG, 'lovleace', 'a person, misspelled'],
  [BIG, 'northwind', 'one vendor of eight'],
  [BIG, 'zzyzx', 'what nobody has'],
  [SMALL, 'invoices', 'a small account beside big ones'],
  [SMALL, 'invioces', 'the same, misspelled'],
] as const;

/** A node of PostgreSQL's plan, as `explain (format json)` writes it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

interface Search {
  readonly asked: string;
  readonly hits: number;
  readonly ms: number;
  /** Of the passes over the ledger: by words, and for misspellings if there was room. */
  readonly passes: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The tables that an account may have by the ten thousand, and what is an index of theirs. */
const MANY = /^(?:initiatives|metrics|vendors|cost_entries|connections|assessments|memberships|users)/;

/** What was read without asking an index for something of the account's, or for people of that name. */
function readWhole({ passes }: Search): string[] {
  return passes
    .flatMap(nodesOf)
    .filter((node) => MANY.test(node['Index Name'] ?? node['Relation Name'] ?? ''))
    .filter(
      (node) =>
        node['Node Type'] !== 'Bitmap Heap Scan' &&
        !/account_id|platform_key|user_id|search_title|\bid =/.test(node['Index Cond'] ?? ''),
    )
    .map((node) => node['Index Name'] ?? node['Relation Name'] ?? '');
}

/** Which of the indexes that know words each pass used. */
function described({ asked, passes }: Search): string {
  const lines = passes.map((pass) => {
    const indexes = nodesOf(pass).flatMap((node) => node['Index Name'] ?? []);
    const ofWords = [...new Set(indexes.filter((name) => name.endsWith('_search')))];
    return `  ${ofWords.toSorted().join(' ') || 'what the account has, one by one'}`;
  });
  return [asked, ...lines].join('\n');
}

async function search(reader: Client, [account, query, why]: (typeof QUESTIONS)[number]): Promise<Search> {
  const passes: PlanNode[] = [];
  let ms = 0;
  const hear = ({ message = '' }: { message?: string | undefined }): void => {
    const [, took, plan] = /^duration: ([\d.]+) ms {2}plan:\n(\{.*)/s.exec(message) ?? [];
    if (plan === undefined) return;
    const told = JSON.parse(plan) as { readonly 'Query Text': string; readonly Plan: PlanNode };
    if (told['Query Text'].startsWith('select found.')) passes.push(told.Plan);
    // The last to be told is the outermost.
    ms = Number(took);
  };
  reader.on('notice', hear);
  const hits = await inAccount(reader, account, () =>
    searchAccount(reader, { query, types: null, limit: 20 }),
  );
  reader.off('notice', hear);
  return { asked: `${query}: ${why}`, hits: hits.length, ms, passes };
}

async function searches(url: string): Promise<readonly Search[]> {
  const reader = await openClient({
    url,
    role: 'cf_reader',
    applicationName: 'plans',
    onError: () => undefined,
  });
  try {
    const done: Search[] = [];
    for (const question of QUESTIONS) {
      await search(reader, question); // once for the caches
      done.push(await search(reader, question));
    }
    return done;
  } finally {
    await reader.end();
  }
}

async function run(folder: string): Promise<readonly Search[]> {
  const server = await startEmbedded({ dataDir: folder, durable: false, settings: REPORTING });
  try {
    const adminUrl = databaseUrl(server.adminUrl, 'plans');
    await createDatabase(server.adminUrl, 'plans', 'template0');
    await migrate({ adminUrl, folder: SCHEMA });
    await asAdmin(adminUrl, fillSearchLedger);
    return await searches((await openLogins(adminUrl, ['cf_reader'])).cf_reader);
  } finally {
    await server.stop();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'crossfoot-search-'));
try {
  const done = await run(folder);
  const text = `${done.map(described).join('\n')}\n`;
  if (values.update) await writeFile(GOLDEN, text);
  const golden = new Set((await readFile(GOLDEN, 'utf8')).split(/\n(?! )/));
  const wrong = [
    ...done.flatMap((each) => readWhole(each).map((table) => `${each.asked}: reads all of ${table}`)),
    ...done.filter(({ passes }) => passes.length === 0).map(({ asked }) => `${asked}: no plan was told`),
  ];
  const other = text.split(/\n(?! )/).filter((each) => !golden.has(each));
  for (const { asked, hits, ms } of done)
    process.stdout.write(`${ms.toFixed(0).padStart(5)} ms  ${hits} of ${asked}\n`);
  for (const each of wrong) process.stderr.write(`${each}\n`);
  for (const each of other) process.stderr.write(`another plan than is kept:\n${each}\n`);
  process.stdout.write(`${done.length} searches, ${wrong.length} faults, ${other.length} not kept\n`);
  process.exitCode = wrong.length + (values.strict ? other.length : 0) === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
