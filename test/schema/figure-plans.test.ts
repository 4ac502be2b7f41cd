/**
 * How figures find their entries, as the reader role with the planner's own settings: what names an initiative or days
 * looks at those alone, through an index. All time of a portfolio is every entry of the account, so it may scan.
 */
import type { Client, ClientBase } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readInitiativeBudgets } from '../../src/ledger/moment/budget-entries.ts';
import type { EntryScope } from '../../src/ledger/moment/entry-scope.ts';
import { readInitiativeSums, readScopeSums } from '../../src/ledger/moment/entry-sums.ts';
import { readInitiativeUnsettled, readUnsettledAmounts } from '../../src/ledger/moment/unsettled-amounts.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { type Founded, foundAccount, inAccount } from '../support/ledger-rows.ts';

/** Of each kind, over 100 initiatives and 1,000 days: enough that the planner would not scan for a part of them. */
const ENTRIES = 5_000;
const JANUARY = { from: '2026-01-01', through: '2026-01-31' };

let database: TestDatabase;
let reader: Client;
let home: Founded;
/** One of the hundred. */
let one: bigint;
beforeAll(async () => {
  database = await createDatabase();
  reader = await database.client('cf_reader');
  const owner = await database.client('cf_owner');
  home = await foundAccount(owner);
  await inAccount(owner, home.account, async () => {
    const { rows } = await owner.query<{ first: bigint }>(
      `with made as (
         insert into ledger.initiatives (account_id, title, stage)
         select $1, 'Many', 'live' from generate_series(1, 100) returning id)
       select min(id) as first from made`,
      [home.account],
    );
    one = rows[0]?.first ?? 0n;
    // One in five has no dollars, and one value in five is capacity: PostgreSQL 16 reads a smaller index whole.
    const each = `$1::bigint, $2::bigint + n % 100, 100, case n / 100 % 5 when 3 then 'KES' else 'USD' end,
      date '2024-01-01' + n * 31 % 1000, 'manual', repeat('as long as real ones, ', 20) from generate_series(1, ${ENTRIES}) as n`;
    const columns = 'account_id, initiative_id, amount_cents, currency, period_start, source_type, notes';
    const values = [home.account, one];
    await owner.query(`insert into ledger.cost_entries (${columns}) select ${each}`, values);
    await owner.query(
      `insert into ledger.value_entries (status, entry_type, ${columns})
       select 'approved', case n / 100 % 5 when 4 then 'capacity' else 'cost_savings' end, ${each}`,
      values,
    );
    await owner.query(
      `insert into ledger.budget_versions (account_id, initiative_id, status, source, capex_cents, opex_cents, opex_cadence,
         currency, effective_from, decided_at)
       select account_id, id, 'approved', 'manual', 1, 1, 'monthly', 'USD', date '2024-01-01', now()
       from ledger.initiatives where account_id = $1 and id >= $2`,
      values,
    );
  });
  // A plan is made for the rows that are there, as it is once autovacuum has passed. That they are visible to all can be
  // noted when their commit is on disk, for which it has to be asked.
  await owner.query('set synchronous_commit = on');
  await owner.query('analyze');
  await owner.query('vacuum analyze');
});
afterAll(() => database.drop());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** How the entries are reached by what `ask` sends: the index, or the kind of scan where it is none. */
const accessOf = (node: PlanNode): string => node['Index Name'] ?? node['Node Type'];
/** The same, and whether the index is searched for the initiative or only filtered by it. */
const searchOf = (node: PlanNode): string =>
  `${accessOf(node)}${node['Index Cond']?.includes('initiative_id') === true ? ' by initiative' : ''}`;

async function accesses(
  ask: (client: ClientBase) => Promise<unknown>,
  describeNode = accessOf,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const explain = async (text: string, values: readonly unknown[]): Promise<void> => {
    const { rows } = await reader.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
      `explain (format json) ${text}`,
      [...values],
    );
    for (const node of nodesOf(rows[0]?.['QUERY PLAN'][0].Plan ?? { 'Node Type': 'nothing' })) {
      const ofEntries = /^(?:cost|value)_entries/.test(node['Index Name'] ?? node['Relation Name'] ?? '');
      // A bitmap is read from the heap afterwards; the index that made it is a node of its own.
      if (ofEntries && node['Node Type'] !== 'Bitmap Heap Scan') {
        found.add(describeNode(node));
      }
    }
  };
  // Stands in for the session: each query is explained, and answered by its columns without a row.
  const columns = (text: string, values: readonly unknown[]): Promise<unknown> =>
    reader.query(`select * from (${text}) as answer limit 0`, [...values]);
  const query = (asked: string | Submitted, values: readonly unknown[] = []): unknown => {
    if (typeof asked === 'string') {
      const about = asked.replace(/^declare \w+ no scroll cursor for/, '');
      if (!/^\s*(?:select|with)/.test(about)) return Promise.resolve({ rows: [] });
      return explain(about, values).then(() => columns(about, values));
    }
    explain(asked.text, asked.values).then(
      () => asked.emit('end'),
      (error: unknown) => asked.emit('error', error),
    );
    return asked;
  };
  await inAccount(reader, home.account, () => ask({ query } as unknown as ClientBase)); // only `query` is called
  return found;
}

/** What the driver's own query object holds. */
interface Submitted {
  readonly text: string;
  readonly values: readonly unknown[];
  emit(event: string, value?: unknown): boolean;
}

function scope(): EntryScope {
  return { account_id: home.account, initiative_id: null, include_sample: false, days: null };
}

function roiOf(of: Partial<EntryScope>) {
  return async (client: ClientBase): Promise<void> => {
    await readScopeSums(client, { ...scope(), ...of });
    await readUnsettledAmounts(client, { ...scope(), ...of });
  };
}

describe('/roi', () => {
  it('reads one initiative through the index of its entries', async () => {
    for (const days of [null, JANUARY]) {
      const found = await accesses(roiOf({ initiative_id: one, days }));
      expect([...found].filter((name) => !/_sums$|_capacity$|_unconverted$/.test(name))).toEqual([]);
    }
  });

  it('reads the days of a window through their index', async () => {
    const found = await accesses(roiOf({ days: JANUARY }));
    expect([...found].toSorted().filter((name) => !/_capacity$|_unconverted$/.test(name))).toEqual([
      'cost_entries_period',
      'value_entries_period',
    ]);
  });

  it('reads entries without dollars through their own index', async () => {
    expect(await accesses((client) => readUnsettledAmounts(client, scope()))).toEqual(
      new Set(['cost_entries_unconverted', 'value_entries_unconverted']),
    );
  });

  it('reads the sums of changed initiatives by an index, not through all entries without dollars', async () => {
    for (const part of [{ initiative_id: one }, { among: [one, one + 7n] }]) {
      const found = await accesses(async (client) => {
        await readInitiativeSums(client, { ...scope(), ...part });
        await readInitiativeUnsettled(client, { ...scope(), ...part });
      }, searchOf);
      expect([...found].filter((access) => !access.endsWith(' by initiative'))).toEqual([]);
      expect([...found].filter((access) => access.includes('unconverted')).toSorted()).toEqual([
        'cost_entries_unconverted by initiative',
        'value_entries_unconverted by initiative',
      ]);
    }
  });

  it('reads all time of the portfolio, which is every entry, without the rows themselves', async () => {
    const found = await accesses((client) => readScopeSums(client, scope()));
    expect(found).toEqual(new Set(['cost_entries_sums', 'value_entries_capacity', 'value_entries_sums']));
  });
});

describe('/budgets', () => {
  it('reads the costs of a page through the index of its initiatives', async () => {
    const wanted = [one, one + 1n, one + 2n];
    const found = await accesses((client) =>
      Array.fromAsync(
        readInitiativeBudgets(client, { account_id: home.account, as_of: '2026-07-15', wanted }),
      ),
    );
    expect(found).toEqual(new Set(['cost_entries_sums']));
  });
});
