/** Fills accounts of any size with generated rows that obey every rule of the ledger; its triggers stay active. */
import type { Client } from 'pg';
import { countRows, db, readOne } from '../../src/database/query.ts';
import { CrossfootError } from '../../src/errors.ts';
import { ACCOUNT_STEPS } from './account-steps.ts';
import { BILL_STEPS } from './bill-steps.ts';
import { COST_STEPS } from './cost-steps.ts';
import { DECISION_STEPS } from './decision-steps.ts';
import { putIndexesAside } from './indexes.ts';
import { INITIATIVE_STEPS } from './initiative-steps.ts';
import { FORGET_RATES, PERIOD_RATES, PLAN, PLAN_TABLES, RATES_KNOWN } from './plan.ts';
import type { SeedStep } from './step.ts';
import { VALUE_STEPS } from './value-steps.ts';

/** The size of an account. Equal requests give equal rows, except for change times. */
export interface SeedRequest {
  /** The number of cost entries; the account gets the same number of value entries. */
  readonly rows: number;
  readonly initiatives: number;
  /** Years of twelve months; the last one ends with the newest published rate. */
  readonly years: number;
  /** The number of inputs of all calculated value entries together. */
  readonly inputs: number;
  readonly seed: bigint;
}

export interface SeedProgress {
  readonly table: string;
  readonly rows: number;
}

/** The smallest request in which every kind of row occurs. */
const LEAST = { rows: 100, initiatives: 20, years: 1, inputs: 0 } as const;

// The rows that one statement writes: enough that its fixed cost does not matter, few enough for its queue of key checks.
const STRETCH_ROWS = 50_000;

// Below this number of written rows, `analyze` costs more than it saves: it samples the rows of all accounts.
const LEAST_TO_ANALYZE = 1_000;

const STEPS: readonly SeedStep[] = [
  ...ACCOUNT_STEPS,
  ...INITIATIVE_STEPS,
  ...BILL_STEPS,
  ...COST_STEPS,
  ...VALUE_STEPS,
  ...DECISION_STEPS,
];

// The large tables, each with the index that must stay: by it, a locked month finds its entries.
const ENTRIES = {
  cost_entries: 'cost_entries_booked_month',
  value_entries: 'value_entries_month_changes',
} as const;

/** Fills one new account as the ledger's owner, in one transaction, and returns its id. */
export async function seedAccount(
  owner: Client,
  request: SeedRequest,
  onProgress: (progress: SeedProgress) => void,
): Promise<bigint> {
  for (const [name, least] of Object.entries(LEAST)) {
    const asked = request[name as keyof typeof LEAST]; // its own keys
    if (asked < least) {
      throw new CrossfootError('usage_invalid', `${asked} ${name} are too few: ${least} at least.`);
    }
  }
  await owner.query('begin');
  try {
    const account = await fill(owner, request, onProgress);
    await owner.query('commit');
    return account;
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

/** True if the ledger has the rates and platforms that generated rows refer to. */
export async function holdsReference(owner: Client): Promise<boolean> {
  const rates = db.selectFrom('ledger.euro_reference_rates').select('day').limit(1);
  const platforms = db.selectFrom('ledger.platforms').select('key').limit(1);
  return (await countRows(owner, rates)) === 1 && (await countRows(owner, platforms)) === 1;
}

async function fill(
  owner: Client,
  request: SeedRequest,
  onProgress: (progress: SeedProgress) => void,
): Promise<bigint> {
  const { rows, initiatives, years, inputs, seed } = request;
  const last = db.selectFrom('ledger.accounts').select((eb) => eb.fn.max('id').as('id'));
  const account = ((await readOne(owner, last)).id ?? 0n) + 1n;
  await owner.query(
    `select set_config('app.account_id', $1, true), set_config('timezone', 'UTC', true),
       set_config('work_mem', '64MB', true), set_config('maintenance_work_mem', '256MB', true), set_config('jit', 'off', true)`,
    [account],
  );
  for (const statement of PLAN_TABLES) await owner.query(statement);
  await owner.query(PLAN, [account, seed, rows, initiatives, years, inputs]);
  await fillRates(owner);
  const indexes: string[] = [];
  for (const [table, needed] of Object.entries(ENTRIES)) {
    const { rowCount } = await owner.query(`select from ledger.${table} limit 1`);
    if (rowCount === 0) indexes.push(...(await putIndexesAside(owner, table, [needed])));
  }
  for (const step of STEPS) {
    const written = await run(owner, step, rows, onProgress);
    if (written >= LEAST_TO_ANALYZE) await owner.query(`analyze ledger.${step.table}`);
    await moveOn(owner, step.table, account);
  }
  // PostgreSQL refuses an index on a table that has deferred checks pending: run them first.
  await owner.query('set constraints all immediate');
  for (const index of indexes) await owner.query(index);
  return account;
}

async function fillRates(owner: Client): Promise<void> {
  const { rowCount } = await owner.query(RATES_KNOWN);
  if (rowCount !== 0) return;
  for (const statement of FORGET_RATES) await owner.query(statement);
  await owner.query(PERIOD_RATES);
  await owner.query('analyze pg_temp.period_rates');
}

async function run(
  owner: Client,
  { table, sql, long }: SeedStep,
  rows: number,
  onProgress: (progress: SeedProgress) => void,
): Promise<number> {
  let written = 0;
  const end = long ? rows : 1;
  for (let first = 1; first <= end; first += STRETCH_ROWS) {
    const { rowCount } = await owner.query(sql, long ? [first, first + STRETCH_ROWS - 1] : []);
    onProgress({ table, rows: rowCount ?? 0 });
    written += rowCount ?? 0;
  }
  return written;
}

/** Sets the table's id sequence after the ids written here. */
async function moveOn(owner: Client, table: string, account: bigint): Promise<void> {
  const [key, column] =
    table === 'accounts' || table === 'users' ? ['true', 'id'] : ['account_id = $1', 'id'];
  await owner.query(
    `select setval(sequence, greatest(max_id, nextval(sequence)))
     from (select pg_get_serial_sequence('ledger.${table}', '${column}') as sequence,
       (select max(${column}) from ledger.${table} where ${key}) as max_id) as ids
     where max_id is not null`,
    key === 'true' ? [] : [account],
  );
}
