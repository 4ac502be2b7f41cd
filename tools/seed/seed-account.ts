/**
 * Fills accounts of any size with generated rows that obey every rule of the ledger. Rows are drawn with all triggers and indexes
 * active: those of long tables in stretches, by several sessions at once. The rest of a large account are copies of drawn rows.
 */
import type { Client } from 'pg';
import { readStatement } from '../../src/database/columns.ts';
import { countRows, db, readOne } from '../../src/database/query.ts';
import { CrossfootError } from '../../src/errors.ts';
import { ACCOUNT_STEPS } from './account-steps.ts';
import { BILL_STEPS } from './bill-steps.ts';
import { COPIED_TABLES, copyAccount } from './copies.ts';
import { BOOKED_COSTS, DRAWN_COSTS } from './cost-steps.ts';
import { DECISION_STEPS } from './decision-steps.ts';
import { INITIATIVE_STEPS } from './initiative-steps.ts';
import {
  COPY_OF_PLAN,
  FORGET_ACCOUNT,
  FORGET_RATES,
  PERIOD_RATES,
  PLAN,
  PLAN_AS_JSON,
  PLAN_TABLES,
  RATES_KNOWN,
} from './plan.ts';
import type { SeedStep } from './step.ts';
import { APPROVALS, CITATIONS, DRAFTS, VALUES } from './value-steps.ts';

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
  /** At most so many rows are drawn if the counts can be divided, and the others are copies; `DRAWN_ROWS` if omitted. */
  readonly drawn?: number;
}

/** The smallest request in which every kind of row occurs. */
const LEAST = { rows: 100, initiatives: 20, years: 1, inputs: 0 } as const;

/** So many rows are drawn unless a request says otherwise. */
export const DRAWN_ROWS = 10_000;

// The rows that one statement writes, of a large account. A transaction locks each initiative once, so fewer are cheaper.
const STRETCH_ROWS = 50_000;
// Of a smaller account: enough stretches that two sessions end at about the same time.
const STRETCHES = 10;

// In an account of fewer rows, `analyze` costs more than it saves: it samples the rows of all accounts. In a larger one, a foreign
// key to a table without statistics would be looked up in a worse index for each entry.
const LEAST_TO_ANALYZE = 10_000;

const FIRST_STEPS: readonly SeedStep[] = [
  ...ACCOUNT_STEPS,
  ...INITIATIVE_STEPS,
  ...BILL_STEPS,
  ...BOOKED_COSTS,
];

// The long steps. Those of one list are written side by side. An approval is written before its entry: so a trigger finds it when
// the entry is inserted. In the other order, a trigger would have to update each entry afterwards.
const LONG_STEPS: readonly (readonly SeedStep[])[] = [[APPROVALS], [VALUES, DRAWN_COSTS]];

const LAST_STEPS: readonly SeedStep[] = [CITATIONS, ...DECISION_STEPS];

/**
 * Fills one new account as the ledger's owner and returns its id. The sessions `beside` help with long tables. Their rows are
 * committed in between; after an error, the account is deleted again. While rows are copied, other sessions wait.
 */
export async function seedAccount(
  owner: Client,
  request: SeedRequest,
  say: (line: string) => void,
  beside: readonly Client[] = [],
): Promise<bigint> {
  for (const [name, least] of Object.entries(LEAST)) {
    const asked = request[name as keyof typeof LEAST]; // its own keys
    if (asked < least) {
      throw new CrossfootError('usage_invalid', `${asked} ${name} are too few: ${least} at least.`);
    }
  }
  const last = db.selectFrom('ledger.accounts').select((eb) => eb.fn.max('id').as('id'));
  const account = ((await readOne(owner, last)).id ?? 0n) + 1n;
  const parts = partsOf(request);
  const { rows, initiatives, inputs } = request;
  const part = { ...request, rows: rows / parts, initiatives: initiatives / parts, inputs: inputs / parts };
  const seeding: Seeding = { account, request: part, say };
  await inTransaction(owner, account, () => startAccount(owner, seeding, initiatives));
  try {
    const [copied] = await readStatement(owner, PLAN_AS_JSON);
    for (const session of beside) {
      await inTransaction(session, account, () => copyPlan(session, copied?.plan));
    }
    for (const steps of LONG_STEPS) await runLong([owner, ...beside], steps, seeding);
    await inTransaction(owner, account, () => runSteps(owner, LAST_STEPS, seeding));
    if (parts > 1) {
      await inTransaction(owner, account, async () => {
        await copyAccount(owner, account, parts, say);
        for (const table of COPIED_TABLES) await moveOn(owner, table, account);
        // Copies are written without triggers, and a trigger writes the cost that no usage of a bill has.
        await owner.query(
          `select service.settle_usage_of(array_agg(account_id), array_agg(id))
           from ledger.provider_bills where account_id = $1`,
          [account],
        );
      });
    }
    return account;
  } catch (error) {
    await inTransaction(owner, account, async () => {
      for (const statement of FORGET_ACCOUNT) await owner.query(statement);
    });
    throw error;
  }
}

/**
 * The number of equal parts of an account, of which the first is drawn: 1 if its rows, initiatives and inputs cannot be divided
 * so that the part is small enough, and large enough for every kind of row.
 */
function partsOf({ rows, initiatives, inputs, drawn = DRAWN_ROWS }: SeedRequest): number {
  const most = Math.min(rows / LEAST.rows, initiatives / LEAST.initiatives);
  for (let parts = Math.ceil(rows / drawn); parts <= most; parts++) {
    if ([rows, initiatives, inputs].every((count) => count % parts === 0)) return parts;
  }
  return 1;
}

/** True if the ledger has the rates and platforms that generated rows refer to. */
export async function hasSharedRows(owner: Client): Promise<boolean> {
  const rates = db.selectFrom('ledger.euro_reference_rates').select('day').limit(1);
  const platforms = db.selectFrom('ledger.platforms').select('key').limit(1);
  return (await countRows(owner, rates)) === 1 && (await countRows(owner, platforms)) === 1;
}

interface Seeding {
  readonly account: bigint;
  /** Of the drawn part. */
  readonly request: SeedRequest;
  readonly say: (line: string) => void;
}

async function inTransaction(session: Client, account: bigint, work: () => Promise<void>): Promise<void> {
  await session.query('begin');
  try {
    await session.query(
      `select set_config('app.account_id', $1, true), set_config('timezone', 'UTC', true),
         set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`,
      [account],
    );
    await work();
    await session.query('commit');
  } catch (error) {
    await session.query('rollback');
    throw error;
  }
}

async function startAccount(owner: Client, seeding: Seeding, allInitiatives: number): Promise<void> {
  const { rows, initiatives, years, inputs, seed } = seeding.request;
  for (const statement of PLAN_TABLES) await owner.query(statement);
  await owner.query(PLAN, [seeding.account, seed, rows, initiatives, years, inputs, allInitiatives]);
  await fillRates(owner);
  await runSteps(owner, FIRST_STEPS, seeding);
  await owner.query(DRAFTS);
}

/** Gives another session the plan, the rates and the functions of the first. */
async function copyPlan(session: Client, plan: string | undefined): Promise<void> {
  for (const statement of PLAN_TABLES) await session.query(statement);
  await session.query(COPY_OF_PLAN, [plan]);
  await fillRates(session);
  await session.query(DRAFTS);
}

async function runSteps(owner: Client, steps: readonly SeedStep[], seeding: Seeding): Promise<void> {
  for (const { table, sql } of steps) {
    const { rowCount } = await owner.query(sql);
    seeding.say(`${table}: ${rowCount} rows`);
    if (seeding.request.rows >= LEAST_TO_ANALYZE) await owner.query(`analyze ledger.${table}`);
    await moveOn(owner, table, seeding.account);
  }
}

/** Writes the rows of the steps in stretches; each session takes the next stretch when it has written one. */
async function runLong(
  sessions: readonly Client[],
  steps: readonly SeedStep[],
  { account, request, say }: Seeding,
): Promise<void> {
  const length = Math.min(STRETCH_ROWS, Math.ceil(request.rows / STRETCHES));
  const stretches = steps.flatMap((step) =>
    Array.from({ length: Math.ceil(request.rows / length) }, (_, index) => ({
      ...step,
      range: [index * length + 1, (index + 1) * length],
    })),
  );
  const work = async (session: Client): Promise<void> => {
    try {
      for (let next = stretches.shift(); next !== undefined; next = stretches.shift()) {
        const { table, sql, range } = next;
        await inTransaction(session, account, async () => {
          const { rowCount } = await session.query(sql, range);
          say(`${table}: ${rowCount} rows`);
        });
      }
    } finally {
      stretches.length = 0; // after an error, no session takes another
    }
  };
  const ended = await Promise.allSettled(sessions.map(work));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  const [owner] = sessions;
  if (owner === undefined) return;
  await inTransaction(owner, account, async () => {
    for (const { table } of steps) {
      if (request.rows >= LEAST_TO_ANALYZE) await owner.query(`analyze ledger.${table}`);
      await moveOn(owner, table, account);
    }
  });
}

async function fillRates(owner: Client): Promise<void> {
  const { rowCount } = await owner.query(RATES_KNOWN);
  if (rowCount !== 0) return;
  for (const statement of FORGET_RATES) await owner.query(statement);
  await owner.query(PERIOD_RATES);
  await owner.query('analyze pg_temp.period_rates');
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
