/**
 * Bills of which each charge has a row of usage of its own: loaded as their own process, beside a load of as many costs; built,
 * beside an account with these costs; and served. The bounds are those of `load`, of a build and of pages.
 */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { asOwner } from '../../../src/run/as-owner.ts';
import { type Benchmark, type Figure, figure } from '../benchmark.ts';
import { runLoad } from '../ledger-load.ts';
import { builderEnv, measureBuild } from '../measured-build.ts';
import { median, p99 } from '../rounds.ts';
import { serveAccount, type ServedAccount } from '../served-account.ts';
import type { GeneratedLedger } from './generated-ledger.ts';
import { addLoadableAccount, rowsOf } from './loadable-account.ts';
import { ask, askBeside, signIn } from './pages.ts';

const ROWS = 1_000_000;
const MAX_MB = 450;
const MONTHS = 12;
const DAYS = 28;
const MODELS = 7;
const KINDS = ['Input', 'Cached Input', 'Output'] as const;
/** So many charges before model and kind repeat; then the initiative is the next one. */
const OF_INITIATIVE = MONTHS * DAYS * MODELS * KINDS.length;
const RUNS = 30;
const PAGE_ROWS = 500;

/** The columns of FOCUS 1.2 that say what was used; no two charges have the same use. */
const COLUMNS: Readonly<Record<string, (charge: number) => string>> = {
  BilledCost: (charge) => (charge % 100 === 0 ? '-0.012345' : '0.012345'),
  BillingAccountId: () => 'acme',
  BillingAccountName: () => 'Acme',
  BillingCurrency: () => 'USD',
  BillingPeriodEnd: (charge) => dayOf((charge % MONTHS) + 1, 1),
  BillingPeriodStart: (charge) => dayOf(charge % MONTHS, 1),
  ChargeCategory: () => 'Usage',
  ChargeClass: () => '',
  ChargeDescription: () => 'Tokens of a model',
  ChargePeriodEnd: (charge) => dayOf(charge % MONTHS, 2 + (Math.floor(charge / MONTHS) % DAYS)),
  ChargePeriodStart: (charge) => dayOf(charge % MONTHS, 1 + (Math.floor(charge / MONTHS) % DAYS)),
  ConsumedQuantity: (charge) => String(charge % 10_007),
  ConsumedUnit: () => 'Tokens',
  ContractedCost: () => '0.012345',
  EffectiveCost: () => '0.012345',
  InvoiceIssuerName: () => 'Gateway',
  ListCost: () => '0.012345',
  ListUnitPrice: () => '0.000002',
  PricingQuantity: (charge) => String(charge % 10_007),
  PricingUnit: () => 'Tokens',
  ProviderName: () => 'Gateway',
  PublisherName: () => 'Gateway',
  ServiceCategory: () => 'AI and Machine Learning',
  ServiceName: () => 'Models',
  SkuMeter: (charge) => `${KINDS[Math.floor(charge / (MONTHS * DAYS * MODELS)) % KINDS.length]} Tokens`,
  SkuPriceDetails: (charge) => `{""ModelId"":""model-${Math.floor(charge / (MONTHS * DAYS)) % MODELS}""}`,
  Tags: (charge) => `{""initiative"":""Initiative ${1 + Math.floor(charge / OF_INITIATIVE)}""}`,
};

/** The day of a month, counted from January 2025. */
function dayOf(month: number, day: number): string {
  return new Date(Date.UTC(2025, month, day)).toISOString();
}

export const usage: Benchmark = {
  name: 'usage',
  title: 'bills with many rows of usage: loaded, built and served',
  run: async ({ rows, folder, ledger, say }) => {
    const charges = rows ?? ROWS;
    const generated = await ledger();
    const { databases } = generated;
    const [costs, bills] = await asOwner(databases, 'crossfoot bench', async (owner) => [
      await addLoadableAccount(owner),
      await addLoadableAccount(owner),
    ]);
    const files = join(folder, 'files');
    await mkdir(files, { recursive: true });
    const entries = join(files, 'cost_entries.csv');
    await asOwner(databases, 'crossfoot bench', (owner) =>
      pipeline(
        owner.query(
          copyTo(
            `copy (${rowsOf('cost_entries', costs, { rows: charges, changed: false })}) to stdout (format csv, header)`,
          ),
        ),
        createWriteStream(entries),
      ),
    );
    const bill = join(folder, 'bill.csv');
    await pipeline(Readable.from(lines(charges)), createWriteStream(bill));
    const asked = ['--focus', bill, '--account', String(bills.id)];
    const counts = (inserted: number): string =>
      `${inserted} inserted, 0 updated, ${charges - inserted} unchanged`;
    const beside = await runLoad(databases, folder, [entries], `cost_entries: ${counts(charges)}`);
    const first = await runLoad(databases, folder, asked, `provider_bills: ${MONTHS} inserted`);
    const besideAgain = await runLoad(databases, folder, [entries], `cost_entries: ${counts(0)}`);
    const again = await runLoad(databases, folder, asked, `${MONTHS} unchanged`);
    say(`  ${JSON.stringify({ beside, first, besideAgain, again })}`);
    const of = `a load of as many cost entries, which takes ${beside.wall_s.toFixed(1)} s, and ${besideAgain.wall_s.toFixed(1)} s again`;
    await requireRows(generated, bills.id, charges);
    const env = builderEnv(databases, folder, 'store');
    const [ofCosts, ofBills] = [await measureBuild(costs.id, env), await measureBuild(bills.id, env)];
    await using served = await serveAccount(generated, bills.id, folder);
    return [
      figure('usage: loaded', first.wall_s / beside.wall_s, 'times', {
        against: of,
        target: { at_most: 1.5 },
      }),
      figure('usage: loaded again', again.wall_s / besideAgain.wall_s, 'times', {
        against: of,
        target: { at_most: 1.5 },
      }),
      figure('usage: memory of the loads', Math.max(first.peak_mb, again.peak_mb), 'MB', {
        target: { at_most: MAX_MB },
      }),
      figure('usage: built', ofBills.seconds / ofCosts.seconds, 'times', {
        against: `a build of as many costs, which takes ${ofCosts.seconds.toFixed(1)} s`,
        target: { at_most: 1 },
      }),
      figure('usage: memory of the build', ofBills.peak_bytes / 1e6, 'MB', { target: { at_most: MAX_MB } }),
      ...(await pageFigures(served)),
      ...(await listFigures(served, charges)),
    ];
  },
};

function* lines(charges: number): Generator<string> {
  yield `${Object.keys(COLUMNS).join(',')}\n`;
  for (let charge = 0; charge < charges; charge += 1) {
    yield `${Object.values(COLUMNS)
      .map((cell) => `"${cell(charge)}"`)
      .join(',')}\n`;
  }
}

async function requireRows({ databases }: GeneratedLedger, account: bigint, rows: number): Promise<void> {
  const { rows: found } = await asOwner(databases, 'crossfoot bench', (owner) =>
    owner.query<{ rows: bigint }>('select count(*) as rows from ledger.usage where account_id = $1', [
      account,
    ]),
  );
  if (Number(found[0]?.rows) !== rows)
    throw new Error(`${found[0]?.rows} rows of usage were kept, not ${rows}`);
}

async function pageFigures(served: ServedAccount): Promise<readonly Figure[]> {
  const cookie = await signIn(served);
  const { first, waits } = await askBeside(served, cookie, '/ai-spend');
  const warm: number[] = [];
  for (let run = 0; run < RUNS; run += 1) warm.push(...(await ask(served, cookie, '/ai-spend', 1)));
  return [
    figure('usage: AI spend, first', first, 'ms', { target: { at_most: 300 } }),
    figure('usage: AI spend, first: longest wait of other requests meanwhile', Math.max(...waits), 'ms', {
      runs: waits.length,
      target: { at_most: 50 },
    }),
    figure('usage: AI spend, then p99', p99(warm), 'ms', { runs: RUNS, target: { at_most: 100 } }),
  ];
}

/** Pages of /ai_usage from its start and from its middle, live; and the answer of /ai_usage as of the snapshot. */
async function listFigures(served: ServedAccount, rows: number): Promise<readonly Figure[]> {
  const pages = Math.min(RUNS, Math.floor(rows / PAGE_ROWS / 4));
  const walk = async (start: string | null): Promise<{ ms: readonly number[]; cursor: string | null }> => {
    const ms: number[] = [];
    let cursor = start;
    for (let page = 0; page < pages; page += 1) {
      const began = performance.now();
      const answer = await readList(served, cursor);
      ms.push(performance.now() - began);
      cursor = answer.next_cursor;
    }
    return { ms, cursor };
  };
  const first = await walk(null);
  let cursor = first.cursor;
  for (let page = pages; page < rows / PAGE_ROWS / 2; page += 1)
    cursor = (await readList(served, cursor)).next_cursor;
  const deep = await walk(cursor);
  return [
    figure('usage: a page of /ai_usage', median(first.ms), 'ms', { runs: pages }),
    figure('usage: a page of /ai_usage in its middle', median(deep.ms) / median(first.ms), 'times', {
      against: 'one at its start',
      runs: pages,
      target: { at_most: 1.5 },
    }),
  ];
}

async function readList(
  { port, token }: ServedAccount,
  cursor: string | null,
): Promise<{ readonly next_cursor: string | null }> {
  const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const answer = await fetch(`http://127.0.0.1:${port}/v1/ai_usage?limit=${PAGE_ROWS}${after}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) throw new Error(`/ai_usage answered ${answer.status}: ${await answer.text()}`);
  const { page } = (await answer.json()) as { page: { next_cursor: string | null } }; // as the contract says
  return page;
}
