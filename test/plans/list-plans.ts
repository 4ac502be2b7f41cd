/**
 * `npm run campaign -- plans`: on a million rows, every page of every list is read by an index in the order of changes,
 * and reads about as many rows as it shows, wherever it stands. The plans are compared with `list-plans.golden.txt`,
 * where a question stands once for each plan that was seen; one that is new is told and, with `--strict`, refused: what
 * the planner samples decides between two that cost the same. `--update` writes the file. As the reader role, under row
 * security, with the planner's own settings.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { openClient } from '../../src/ledger/connect.ts';
import { openLogins } from '../../src/embedded/logins.ts';
import { startEmbedded } from '../../src/embedded/embedded.ts';
import { migrate } from '../../src/ledger/migrate/migrate.ts';
import { asAdmin, createDatabase, databaseUrl } from '../support/cluster.ts';
import { ACCOUNT, fillBigLedger } from './big-ledger.ts';
import { LIMIT, type ListedPlan, listedPlans, type PlanNode } from './listed-plans.ts';

const SCHEMA = fileURLToPath(new URL('../../schema', import.meta.url));
const GOLDEN = new URL('list-plans.golden.txt', import.meta.url);
const { values } = parseArgs({
  options: { strict: { type: 'boolean', default: false }, update: { type: 'boolean', default: false } },
});

/** One row more than is shown, and a few passed over: samples, the deleted. */
const MAX_READ = (LIMIT + 1) * 1.5;
/** The entries lie in so many months: a list of a range reads a page of each, or passes over what is in others. */
const MONTHS = 36;

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The accesses to the listed tables: how, by which index, and what the index is asked for. */
function accesses({ plan, tables }: ListedPlan): PlanNode[] {
  return nodesOf(plan).filter((node) => tables.includes(node['Relation Name'] ?? ''));
}

function described(listed: ListedPlan): string {
  const lines = accesses(listed).map((node) => {
    const asked = (node['Index Cond'] ?? '')
      .replaceAll(/'[^']*'/g, '?')
      .replaceAll(/::(?:timestamp with time zone|[\w"]+)/g, '')
      .replaceAll(/\(\? \+ \?\)|\(InitPlan \d+\)\.col1|\(hashed SubPlan \d+\)/g, '?')
      .replaceAll(/\((\w+)\)/g, '$1');
    return `  ${node['Node Type']} of ${node['Index Name'] ?? node['Relation Name']}: ${asked}`;
  });
  return [`${listed.list}: ${listed.asked}`, ...lines].join('\n');
}

/** Why the page costs more than it shows; nothing when it does not. */
function faults(listed: ListedPlan): string[] {
  const read = accesses(listed).reduce(
    (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    0,
  );
  const months = /period_/.test(listed.asked) ? MONTHS + 1 : 1;
  const found = [];
  if (read > MAX_READ * months) found.push(`reads ${read} rows of ${listed.tables.join(' and ')}`);
  const scanned = accesses(listed).filter((node) => !node['Node Type'].startsWith('Index'));
  if (scanned.length > 0)
    found.push(`reads ${scanned[0]?.['Relation Name']} by ${scanned[0]?.['Node Type']}`);
  return found.map((fault) => `${listed.list}: ${listed.asked} ${fault}`);
}

async function plansOf(url: string): Promise<readonly ListedPlan[]> {
  const reader = await openClient({
    url,
    role: 'cf_reader',
    applicationName: 'plans',
    onError: () => undefined,
  });
  try {
    await reader.query(`begin read only; set local app.account_id = '${ACCOUNT}'`);
    return await Array.fromAsync(listedPlans(reader));
  } finally {
    await reader.end();
  }
}

async function run(folder: string): Promise<readonly ListedPlan[]> {
  const server = await startEmbedded({ dataDir: folder, durable: false });
  try {
    const adminUrl = databaseUrl(server.adminUrl, 'plans');
    await createDatabase(server.adminUrl, 'plans', 'template0');
    await migrate({ adminUrl, folder: SCHEMA });
    await asAdmin(adminUrl, fillBigLedger);
    return await plansOf((await openLogins(adminUrl, ['cf_reader'])).cf_reader);
  } finally {
    await server.stop();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'crossfoot-plans-'));
try {
  const plans = await run(folder);
  const text = `${plans.map(described).join('\n')}\n`;
  if (values.update) await writeFile(GOLDEN, text);
  const golden = await readFile(GOLDEN, 'utf8');
  const lines = new Set(golden.split(/\n(?! )/));
  const other = text.split(/\n(?! )/).filter((each) => !lines.has(each));
  const wrong = plans.flatMap(faults);
  for (const each of wrong) process.stderr.write(`${each}\n`);
  for (const each of other) process.stderr.write(`another plan than is kept:\n${each}\n`);
  process.stdout.write(`${plans.length} plans, ${wrong.length} faults, ${other.length} not kept\n`);
  process.exitCode = wrong.length + (values.strict ? other.length : 0) === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
