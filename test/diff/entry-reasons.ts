/** The reasons of entries between two snapshots made of rows, for entries that move no total. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from '../../src/diff/change.ts';
import { type Company, company } from '../snapshot/audit/audited-company.ts';
import type { MutableRow } from '../snapshot/audit/audited-rows.ts';
import { compared, compareTools } from './compared.ts';
import { HeldSnapshots } from './held-snapshots.ts';

export interface EntryReasons extends AsyncDisposable {
  /** The reason of each changed cost and value entry by id; the earlier snapshot is of 2026-08-15, 02:00. */
  of(begin: Edit, goOn: Edit): Promise<Record<string, unknown>>;
  /** Every change between the same two snapshots. */
  changes(begin: Edit, goOn: Edit): Promise<readonly Change[]>;
}

type Edit = (rows: Company) => void;

/** Compares in a folder of its own. */
export async function openEntryReasons(): Promise<EntryReasons> {
  const held = new HeldSnapshots();
  const root = await mkdtemp(join(tmpdir(), 'crossfoot-reasons-'));
  const tools = await compareTools(root, held.reader);
  const changes = async (begin: Edit, goOn: Edit): Promise<readonly Change[]> => {
    const rows = company();
    begin(rows);
    const earlier = await held.hold('20260815T020000Z', rows);
    goOn(rows);
    const later = await held.hold('20260816T020000Z', rows);
    return await compared({ account_id: 7n, earlier, later }, tools);
  };
  return {
    changes,
    async of(begin, goOn) {
      return Object.fromEntries(
        (await changes(begin, goOn))
          .filter(({ table }) => table === 'costs' || table === 'reported_value')
          .map(({ key, reason }) => [String(key['cost_entry_id'] ?? key['value_entry_id']), reason]),
      );
    },
    async [Symbol.asyncDispose]() {
      await rm(root, { recursive: true });
    },
  };
}

/** Adds rows to a table. */
export function put(rows: Company, table: string, ...added: MutableRow[]): void {
  rows[table]?.push(...added);
}
