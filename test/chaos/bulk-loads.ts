/**
 * The product's own `load` beside the storm: files of many costs and approved values, new, unchanged or changed here and
 * there. The amounts of each file add up to nothing, so the account's totals stay. A load into a closed month must be
 * refused whole, and every other load must be in the ledger to the last row.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCrossfootError } from '../../src/errors.ts';
import type { LoadFault } from '../../src/ledger/staging/faults.ts';
import { load } from '../../src/ledger/load/load.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Chance } from './chance.ts';

/** Rows of a file, in pairs of an amount and its opposite. */
const ROWS = 500;
/** Of so many pairs one has another amount in a changed file: of a hundred rows one. */
const PAIRS_OF_ONE_CHANGED = 100;
/** From so many files on, no new rows are loaded: builds would take longer and longer. */
const MAX_FILES = 12;
const CLOSED = / is locked: reopen it first /;
const COLUMNS = 'source_ref,initiative_id,amount_cents,currency,period_start,period_end,source_type';

interface Pair {
  readonly ref: string;
  readonly cents: number;
  /** The months of the amount and of its opposite. */
  readonly months: readonly [string, string];
}

interface BulkFile {
  readonly table: 'cost_entries' | 'value_entries';
  readonly pairs: readonly Pair[];
}

export interface LoadTarget {
  readonly database: TestDatabase;
  readonly account: bigint;
  readonly initiatives: readonly bigint[];
  readonly months: readonly string[];
  readonly chance: Chance;
}

export interface BulkLoads {
  readonly counts: Readonly<Record<'new' | 'unchanged' | 'changed' | 'refused', number>>;
  /** Loads until `over`, and each kind once; throws at a load that is refused for anything but a closed month. */
  readonly run: (over: AbortSignal) => Promise<void>;
  /** Throws unless the ledger has exactly the rows of the committed loads. */
  readonly verify: () => Promise<void>;
}

export function bulkLoads(target: LoadTarget): BulkLoads {
  const { database, account, months, chance } = target;
  const counts = { new: 0, unchanged: 0, changed: 0, refused: 0 };
  const files: BulkFile[] = [];

  function drawFile(name: string): BulkFile {
    const two = [chance.oneOf(months), chance.oneOf(months)] as const;
    const pairs = Array.from({ length: ROWS / 2 }, (_, index) => ({
      ref: `${name}-${index}`,
      cents: 1 + chance.below(100_000),
      months: two,
    }));
    return { table: chance.happens(0.5) ? 'cost_entries' : 'value_entries', pairs };
  }

  async function commit(file: BulkFile): Promise<boolean> {
    const folder = await mkdtemp(join(tmpdir(), 'crossfoot-storm-'));
    try {
      const path = join(folder, `${file.table}.csv`);
      await writeFile(path, textOf(file, target.initiatives));
      await load({ url: database.url('cf_owner'), paths: [path], mode: 'upsert', account });
      return true;
    } catch (error) {
      if (!isCrossfootError(error, 'load_rejected')) throw error;
      const other = (error.data['faults'] as LoadFault[]).find(({ expected }) => !CLOSED.test(expected)); // its only data
      if (other !== undefined)
        throw new Error(`a load was refused: ${JSON.stringify(other)}`, { cause: error });
      counts.refused += 1;
      return false;
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** Loads one file; the three kinds take turns, from the first file on. */
  async function loadOne(round: number): Promise<void> {
    const index = chance.below(files.length);
    const file = files[index];
    const turn = file === undefined ? 0 : round % 3;
    if (file === undefined || (turn === 0 && files.length < MAX_FILES)) {
      const drawn = drawFile(`load-${round}`);
      if (!(await commit(drawn))) return;
      files.push(drawn);
      counts.new += 1;
    } else if (turn === 1) {
      if (!(await commit(file))) throw new Error('a load without a change was refused');
      counts.unchanged += 1;
    } else {
      const pairs = file.pairs.map((pair, at) =>
        at % PAIRS_OF_ONE_CHANGED === round % PAIRS_OF_ONE_CHANGED
          ? { ...pair, cents: pair.cents + 1 }
          : pair,
      );
      if (!(await commit({ ...file, pairs }))) return;
      files[index] = { ...file, pairs };
      counts.changed += 1;
    }
  }

  async function run(over: AbortSignal): Promise<void> {
    const isDone = (): boolean => over.aborted && counts.new * counts.unchanged * counts.changed > 0;
    for (let round = 0; !isDone(); round += 1) await loadOne(round);
  }

  async function verify(): Promise<void> {
    const owner = await database.client('cf_owner');
    const expected = files.flatMap((file) =>
      rowsOf(file).map(({ ref, cents, month }) => [ref, cents, month]),
    );
    const { rows } = await owner.query<{ found: (string | number)[] }>(
      `select json_build_array(load_ref, amount_cents, to_char(period_start, 'YYYY-MM')) as found from (
         select account_id, load_ref, amount_cents, period_start from ledger.cost_entries
         union all select account_id, load_ref, amount_cents, period_start from ledger.value_entries
       ) as entries where account_id = $1 and load_ref is not null`,
      [account],
    );
    const found = new Set(rows.map((row) => row.found.join(' ')));
    const missing = expected.filter((row) => !found.has(row.join(' ')));
    if (missing.length > 0 || rows.length !== expected.length) {
      throw new Error(
        `${rows.length} loaded rows instead of ${expected.length}; missing: ${missing.slice(0, 3).join(', ')}`,
      );
    }
  }

  return { counts, run, verify };
}

function rowsOf({
  pairs,
}: BulkFile): { readonly ref: string; readonly cents: number; readonly month: string }[] {
  return pairs.flatMap(({ ref, cents, months: [month, opposite] }) => [
    { ref, cents, month },
    { ref: `${ref}-opposite`, cents: -cents, month: opposite },
  ]);
}

function textOf(file: BulkFile, initiatives: readonly bigint[]): string {
  const isValue = file.table === 'value_entries';
  const lines = rowsOf(file).map(({ ref, cents, month }, index) => {
    const of = initiatives[index % initiatives.length];
    const common = `${ref},${of},${cents},USD,${month}-01,${month}-28,csv`;
    return isValue ? `${common},approved,cost_savings` : `${common},Vendor ${index % 7}`;
  });
  return [`${COLUMNS},${isValue ? 'status,entry_type' : 'vendor_name'}`, ...lines, ''].join('\n');
}
