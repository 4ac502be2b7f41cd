/** What operators and webhooks are told of a snapshot: totals that moved, budgets that were passed, and amounts left out. */
import { leftOutOfAccounts } from '../../../src/commands/terminal/left-out-report.ts';
import { readNewestSnapshots } from '../../../src/commands/terminal/newest-snapshots.ts';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import { passedAfterEnd } from '../../../src/run/worker/ended-budgets.ts';
import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';
import { bodyOf } from '../../../src/webhooks/event.ts';
import { collectChanges } from '../../../src/webhooks/night-changes.ts';
import { tellOf } from '../../../src/webhooks/told.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { fileOf } from '../../snapshot/builder/real-build.ts';
import { readAll } from '../../store/contract.ts';
import type { AskedAccount, Json } from './other-figures.ts';

/** What is told of the newest snapshot: by webhooks, of totals that moved, and by `status`, of amounts that no total has. */
export async function compareTold(asked: AskedAccount, before: ReadableSnapshot): Promise<void> {
  const { harness, account_id, reader, served, equal, get } = asked;
  const diffs = await openDiffs({ snapshots: reader, root: `${harness.root}/diffs` });
  const collected = collectChanges(before.snapshot_id, served.snapshot_id);
  try {
    await diffs.use(account_id, before, served, async (diff) => {
      for (let first: number | null = 0; first !== null;) {
        const { changes, next } = await diff.page(first, 500);
        for (const change of changes) collected.take(JSON.stringify(change));
        first = next;
      }
    });
  } finally {
    await diffs.close();
  }
  const changes = collected.changes();
  const earlier = await readAll(await reader.openTable(account_id, before.snapshot_id, 'reported_totals'));
  const [then, now] = [await totalsOf(earlier), await totalsOf(fileOf(served, 'reported_totals'))];
  const event = { type: 'totals.moved', account_id, snapshot_id: served.snapshot_id, night: null } as const;
  const circumstances = { at: 0n, since: 0n, left_out: null, changes, baseUrl: 'https://figures.example/v1' };
  const { sentence } = tellOf(bodyOf(event, circumstances));
  for (const figure of ['cash_value_cents', 'freed_capacity_cents', 'cost_cents'] as const) {
    const moved = changes.totals.find((each) => each.figure === figure);
    const [was, is] = [Number(then[figure]), Number(now[figure])];
    equal('webhook', figure, [moved?.before_cents ?? is, moved?.after_cents ?? is], [was, is]);
    if (moved === undefined) continue;
    const words = `${figure.replace('_cents', '').replace('_', ' ')} from USD ${plain(was)} to USD ${plain(is)}`;
    equal('webhook in words', figure, [sentence.includes(words)], [true]);
  }
  const listed = async (snapshot_id: string): Promise<ReadonlyMap<unknown, Json>> => {
    const { data } = await get(`/budgets?limit=500&snapshot_id=${snapshot_id}`);
    return new Map((data as Json[]).map((each) => [each['initiative_id'], each]));
  };
  const [was, is] = [await listed(before.snapshot_id), await listed(served.snapshot_id)];
  const passed = [...is].filter(
    ([id, each]) => each['status'] === 'over' && was.get(id)?.['status'] !== 'over',
  );
  const pair = [before.snapshot_id, served.snapshot_id] as const;
  const told = [...changes.budgets, ...(await passedAfterEnd(reader, account_id, pair))];
  equal(
    'webhook: budgets',
    'passed',
    told.map(({ initiative_id, actual_cents }) => `${initiative_id} ${actual_cents}`).toSorted(),
    passed
      .map(([id, each]) => {
        const [part] = each['over_parts'] as readonly string[];
        const actual = each[part === 'capex' ? 'capex_actual_cents' : 'opex_actual_cents'];
        return `${String(id)} ${String(actual)}`;
      })
      .toSorted(),
  );
  const [newest] = await readNewestSnapshots(harness.store, [account_id], 0n);
  const roi = await get('/roi?window=all');
  const [cost, value] = [roi['cost_left_out'], roi['value_left_out']] as readonly Json[][];
  equal('status', 'cost left out', newest?.left_out?.cost ?? [], cost ?? []);
  equal('status', 'value left out', newest?.left_out?.value ?? [], value ?? []);
  const lines = newest === undefined ? [] : leftOutOfAccounts([newest]);
  for (const { currency, amount_cents } of cost ?? []) {
    const amount = `${String(currency)} ${plain(Number(amount_cents))}`;
    equal('status in words', amount, [lines.some((line) => line.includes(amount))], [true]);
  }
}

/** As sentences have it, with a minus and not a hyphen. */
function plain(cents: number): string {
  const [units = '', part = ''] = (Math.abs(cents) / 100).toFixed(2).split('.');
  return `${cents < 0 ? '−' : ''}${units.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${part}`;
}

/** The totals of all time of the portfolio. */
async function totalsOf(file: Buffer): Promise<Json> {
  const sql = "select * from file where scope = 'portfolio' and window_key = 'all'";
  return (await askDuckDb(file, sql))[0] ?? {};
}
