/** Whatever was edited: every figure that moved is named, and the amounts given for it add up to its move. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Change } from '../../src/diff/change.ts';
import type { CompareTools } from '../../src/diff/compare.ts';
import { compared, compareTools } from './compared.ts';
import { anyCompany, FIGURES, rowsOf } from './edited-company.ts';
import { HeldSnapshots, type Rows } from './held-snapshots.ts';

const EARLIER = '20260815T020000Z';
const LATER = '20260817T020000Z';
const SEED = Number(process.env['DIFF_SEED'] ?? 20_260_815);
const RUNS = Number(process.env['DIFF_RUNS'] ?? 8);

let held: HeldSnapshots;
let root: string;
let tools: CompareTools;
beforeAll(async () => {
  held = new HeldSnapshots();
  root = await mkdtemp(join(tmpdir(), 'crossfoot-diff-'));
  tools = await compareTools(root, held.reader);
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

/** What each figure of each window moved by, from the rows themselves; where it did not, nothing. */
function movesOf(before: Rows, after: Rows): Record<string, bigint> {
  const moves: Record<string, bigint> = {};
  for (const [rows, sign] of [
    [before, -1n],
    [after, 1n],
  ] as const) {
    for (const row of rows['reported_totals'] ?? []) {
      for (const figure of FIGURES) {
        const name = [row['scope'], row['initiative_id'], row['window_key'], figure].join(' ');
        moves[name] = (moves[name] ?? 0n) + sign * ((row[figure] ?? 0n) as bigint); // a column of cents
      }
    }
  }
  return Object.fromEntries(Object.entries(moves).filter(([, move]) => move !== 0n));
}

/** The same as it was explained. */
function explainedBy(changes: readonly Change[]): Record<string, bigint> {
  return Object.fromEntries(
    changes.flatMap(({ key, moved }) =>
      moved.map(({ figure, because }) => [
        [key['scope'], key['initiative_id'], key['window_key'], figure].join(' '),
        because.reduce((sum, { cents }) => sum + BigInt(cents), 0n),
      ]),
    ),
  );
}

/** What changed entries brought to all time, entry by entry. */
function broughtBy(changes: readonly Change[]): Record<string, number> {
  const effects = changes.flatMap((change) => change.effects);
  const sum = (column: 'cash_value_cents' | 'freed_capacity_cents' | 'capex_cents' | 'opex_cents') =>
    effects.reduce((so, effect) => so + effect[column], 0);
  return {
    cash_value_cents: sum('cash_value_cents'),
    freed_capacity_cents: sum('freed_capacity_cents'),
    capex_cents: sum('capex_cents'),
    opex_cents: sum('opex_cents'),
  };
}

it(
  `any edits are explained to the cent (seed ${SEED})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(anyCompany, async (company) => {
        const { before, after } = rowsOf(company);
        const pair = {
          account_id: 7n,
          earlier: await held.hold(EARLIER, before),
          later: await held.hold(LATER, after),
        };
        const changes = await compared(pair, tools);
        const moves = movesOf(before, after);
        expect(explainedBy(changes)).toEqual(moves);
        for (const [figure, cents] of Object.entries(broughtBy(changes))) {
          expect([figure, BigInt(cents)]).toEqual([figure, moves[`portfolio  all ${figure}`] ?? 0n]);
        }
        const entries = changes.filter(({ table }) => table === 'costs' || table === 'reported_value');
        expect(entries.filter(({ reason }) => reason === null)).toEqual([]);
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
  },
  20_000 * RUNS,
);
