/** `generate`: fills accounts of any size with made-up rows that keep every rule of the ledger; its triggers stay on. */
import type { Client } from 'pg';
import { CrossfootError } from '../errors.ts';
import { ACCOUNT_STEPS } from './generate-account.ts';
import { BILL_STEPS } from './generate-bills.ts';
import { COST_STEPS } from './generate-costs.ts';
import { DECISION_STEPS } from './generate-decisions.ts';
import { INITIATIVE_STEPS } from './generate-initiatives.ts';
import { PERIOD_RATES, PLAN, PLAN_TABLES } from './generate-plan.ts';
import type { GenerateStep } from './generate-step.ts';
import { VALUE_STEPS } from './generate-value.ts';

/** What an account is to hold; the same request makes the same rows, change times apart. */
export interface GenerateRequest {
  /** Cost entries, and as many value entries. */
  readonly rows: number;
  readonly initiatives: number;
  /** Of twelve months each, the last one ending with the newest published rate. */
  readonly years: number;
  /** Inputs of calculated value entries, all together. */
  readonly inputs: number;
  readonly seed: bigint;
}

export interface GenerateProgress {
  readonly table: string;
  readonly rows: number;
}

/** The fewest of each with which every kind of row is there. */
const LEAST = { rows: 100, initiatives: 20, years: 1, inputs: 0 } as const;

// Long enough that a statement's own cost is nothing, short enough that its queue of key checks is not held at once.
const STRETCH_ROWS = 50_000;

const STEPS: readonly GenerateStep[] = [
  ...ACCOUNT_STEPS,
  ...INITIATIVE_STEPS,
  ...BILL_STEPS,
  ...COST_STEPS,
  ...VALUE_STEPS,
  ...DECISION_STEPS,
];

/** Fills one new account as the ledger's owner, in one transaction, and returns its id. */
export async function generateAccount(
  owner: Client,
  request: GenerateRequest,
  onProgress: (progress: GenerateProgress) => void,
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

/** True when the ledger has the rates and platforms that generated rows rest on. */
export async function holdsReference(owner: Client): Promise<boolean> {
  const { rows } = await owner.query<{ there: boolean }>(
    'select exists (select from ledger.euro_reference_rates) and exists (select from ledger.platforms) as there',
  );
  return rows[0]?.there === true;
}

async function fill(
  owner: Client,
  request: GenerateRequest,
  onProgress: (progress: GenerateProgress) => void,
): Promise<bigint> {
  const { rows, initiatives, years, inputs, seed } = request;
  const {
    rows: [next],
  } = await owner.query<{ id: bigint }>('select coalesce(max(id), 0) + 1 as id from ledger.accounts');
  const account = next?.id ?? 1n;
  await owner.query("select set_config('app.account_id', $1, true), set_config('timezone', 'UTC', true)", [
    account,
  ]);
  for (const statement of PLAN_TABLES) await owner.query(statement);
  await owner.query(PLAN, [account, seed, rows, initiatives, years, inputs]);
  await owner.query(PERIOD_RATES);
  await owner.query('analyze pg_temp.period_rates');
  for (const step of STEPS) {
    await run(owner, step, rows, onProgress);
    await settle(owner, step.table, account);
  }
  return account;
}

async function run(
  owner: Client,
  { table, sql, long }: GenerateStep,
  rows: number,
  onProgress: (progress: GenerateProgress) => void,
): Promise<void> {
  if (!long) {
    onProgress({ table, rows: (await owner.query(sql)).rowCount ?? 0 });
    return;
  }
  for (let first = 1; first <= rows; first += STRETCH_ROWS) {
    const { rowCount } = await owner.query(sql, [first, first + STRETCH_ROWS - 1]);
    onProgress({ table, rows: rowCount ?? 0 });
  }
}

/** Lets the planner see what is there now, and the table's own ids go on after those given here. */
async function settle(owner: Client, table: string, account: bigint): Promise<void> {
  await owner.query(`analyze ledger.${table}`);
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
