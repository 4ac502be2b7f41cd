/** The queries of every list as they are run, each explained instead of answered. */
import type { ClientBase } from 'pg';
import { readWriteHorizon } from '../../src/ledger/write-horizon.ts';
import { readToday } from '../../src/ledger/clock.ts';
import { createCursors } from '../../src/serve/contract/cursor.ts';
import { createComparisonCache } from '../../src/serve/live/budget-comparisons.ts';
import { createFigureSlots } from '../../src/serve/limits/figure-slots.ts';
import { createRoiCaches } from '../../src/serve/live/ledger-roi.ts';
import { type LedgerParts, ledgerSource } from '../../src/serve/live/ledger-source.ts';
import type { Resource } from '../../src/serve/live/resource.ts';
import { RESOURCES } from '../../src/serve/resources/all.ts';
import { ACCOUNT } from './big-ledger.ts';

export const LIMIT = 100;
const cursors = createCursors(['a key for plans, 32 characters or more']);

/** A node of PostgreSQL's plan, as `explain (format json)` writes it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

export interface ListedPlan {
  readonly list: string;
  /** What the list was narrowed to, and which page was asked for. */
  readonly asked: string;
  /** The tables whose rows are listed. */
  readonly tables: readonly string[];
  readonly plan: PlanNode;
}

/** The first has most rows. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  ai_usage: ['usage', 'usage_rests'],
  budgets: ['initiatives'],
  decisions: ['portfolio_decisions'],
  integrations: ['connections'],
};

/** A value for each filter; where it may be one of many, a rare one. */
const VALUES: Readonly<Record<string, unknown>> = {
  budgeted: true,
  include_sample: true,
  initiative_id: 7n,
  metric_key: 'metric.7',
  outcome: 'scale',
  period_from: '2024-03-10',
  period_to: '2024-05-20',
  platform: 'platform_7',
  updated_since: 1_704_103_200_000_000n, // 2024-01-01T10:00:00Z, before the middle of every list
};
const STATUS: Readonly<Record<string, string>> = { value_entries: 'draft', integrations: 'error' };

/** Every list without a filter, with each one, and with pairs of them; the first page and one in the middle. */
export async function* listedPlans(reader: ClientBase): AsyncGenerator<ListedPlan> {
  for (const resource of RESOURCES) {
    const { name, filters } = resource;
    const tables = TABLES[name] ?? [name];
    const middle = await placeInTheMiddle(reader, tables[0] ?? name);
    for (const narrowed of narrowings(Object.keys(filters))) {
      const given = Object.fromEntries(
        narrowed.map((filter) => [filter, filter === 'status' ? STATUS[name] : VALUES[filter]]),
      );
      const own = 'include_sample' in filters ? { include_sample: false, ...given } : given;
      const bound = { account_id: ACCOUNT, route: name, filters: own };
      const pages = { 'first page': {}, 'deep page': { cursor: cursors.seal(bound, middle) } };
      for (const [page, cursor] of Object.entries(pages)) {
        const asked = [...narrowed, page].join(', ');
        const plan = await explained(reader, resource, { ...own, ...cursor, limit: LIMIT });
        yield { list: name, asked, tables, plan };
      }
    }
  }
}

function narrowings(filters: readonly string[]): readonly (readonly string[])[] {
  const pairs = [
    ['period_from', 'period_to'],
    ['initiative_id', 'period_from'],
    ['initiative_id', 'updated_since'],
    ['period_from', 'updated_since'],
  ].filter((pair) => pair.every((filter) => filters.includes(filter)));
  // What one initiative or one rarer thing has is the whole list of it: its middle is elsewhere.
  return [[], ...filters.map((filter) => [filter]), ...pairs];
}

async function placeInTheMiddle(
  reader: ClientBase,
  table: string,
): Promise<{ updated_at: bigint; id: bigint }> {
  const { rows } = await reader.query<{ updated_at: bigint; id: bigint }>(
    `select updated_at, id from ledger.${table} where account_id = $1 order by updated_at, id
     offset (select count(*) / 2 from ledger.${table} where account_id = $1) limit 1`,
    [ACCOUNT],
  );
  const [place] = rows;
  if (place === undefined) throw new Error(`${table} is empty`);
  return place;
}

/** Lets the list ask as it always does, and catches the one query that reads its page. */
async function explained(
  reader: ClientBase,
  resource: Resource,
  asked: Parameters<Resource['page']>[2],
): Promise<PlanNode> {
  let plan: PlanNode | undefined;
  const query = async (text: string, values?: unknown[]) => {
    if (!/order by updated_at, id limit \$\d+$|order by updated_at, id$/.test(text) || plan !== undefined) {
      return await reader.query(text, values);
    }
    const { rows } = await reader.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, costs off, timing off, format json) ${text}`,
      values,
    );
    plan = rows[0]?.['QUERY PLAN'][0].Plan;
    return { rows: [], rowCount: 0 };
  };
  const parts: LedgerParts = {
    figureSlots: createFigureSlots(),
    readToday,
    comparisons: createComparisonCache(),
    ...createRoiCaches(),
    // Only `query` is ever called of it.
    inAccount: async (_, run) => run({ query } as unknown as ClientBase, await readWriteHorizon(reader)),
  };
  await resource.page({ cursors }, ledgerSource(parts, ACCOUNT), asked);
  if (plan === undefined) throw new Error(`${resource.name} read no page`);
  return plan;
}
