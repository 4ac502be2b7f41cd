/**
 * How another program reads the reporting tables at a moment that this program holds open: the statements that join the moment,
 * and of each table its select, its ranges and its columns. The plan holds no address, login or password.
 */
import { type ClientBase, escapeLiteral } from 'pg';
import type { FieldKind } from '../../fields.ts';
import { sessionOptions } from '../../ledger/connect.ts';
import type { Moment } from '../../ledger/moment/moment.ts';
import { canBeCut, cutTable, publishedCondition } from '../../ledger/moment/table-ranges.ts';
import { tableSelect } from '../../ledger/moment/table-select.ts';
import { REPORTING } from '../../tables/all.ts';
import { SCHEMA_VERSION } from '../../tables/describe.ts';
import { fieldId, type Table } from '../../tables/table.ts';
import { formatInstant } from '../../time.ts';
import { snapshotIdOf } from '../format/snapshot-id.ts';
import { joiningText } from './build-moment.ts';
import { isComputed } from './write-tables.ts';

/** Ranges end at a multiple of this number of rows. The cut of a hundred million rows then holds 12,000 keys in memory. */
const STEP_ROWS = 8_192;

interface PlanJob {
  readonly account_id: bigint;
  /** The application's address, with which links begin. */
  readonly app_url: string;
  /** The maximum number of ranges of a table. */
  readonly ranges: number;
  /** For tests: see `STEP_ROWS`. */
  readonly step_rows?: number;
}

interface PlannedColumn {
  readonly name: string;
  readonly kind: FieldKind;
  /** True if the files mark it as required: a null is an error. */
  readonly required: boolean;
  /** The field id in Parquet files. */
  readonly field_id: number;
  /** The value of all rows, for a column that the select lacks. */
  readonly value?: string;
}

interface PlannedTable {
  readonly name: string;
  /** The select of the rows of the account. */
  readonly select: string;
  /** Conditions on the rows of the select, each with the guard: each row meets exactly one. */
  readonly predicates: readonly string[];
  /** All columns of the table, in published order. */
  readonly columns: readonly PlannedColumn[];
}

/** `plan.json`. All ids are texts. */
export interface MomentPlan {
  readonly account_id: string;
  /** The id of a snapshot of this moment. */
  readonly snapshot_id: string;
  readonly generated_at: string;
  readonly exported_snapshot: string;
  readonly pg_snapshot: string;
  /** The settings of each session, for PostgreSQL's `options`. */
  readonly session_options: string;
  /** The first statements of each transaction. */
  readonly session_start: string;
  /** The tables that are selected. Figures are computed from them. */
  readonly tables: readonly PlannedTable[];
}

/** The plan of the moment, in which the connection's transaction is. */
export async function planMoment(client: ClientBase, moment: Moment, job: PlanJob): Promise<MomentPlan> {
  const { account_id, app_url, ranges, step_rows = STEP_ROWS } = job;
  const { generated_at, exported_snapshot, pg_snapshot } = moment;
  const snapshot_id = snapshotIdOf(generated_at);
  const parameters = { account_id, generated_at };
  const guard = guardOf(account_id, pg_snapshot);
  const constants: Readonly<Record<string, string>> = { snapshot_id, schema_version: SCHEMA_VERSION };
  const predicatesOf = async (table: Table): Promise<readonly string[]> => {
    if (!canBeCut(table)) return [guard];
    const cut = await cutTable(client, table, parameters, { group_rows: step_rows, ranges });
    return cut.length < 2 ? [guard] : cut.map((range) => `${publishedCondition(table, range)} and ${guard}`);
  };
  const tables: PlannedTable[] = [];
  for (const table of REPORTING.tables) {
    if (isComputed(table)) continue;
    const predicates = await predicatesOf(table);
    const columns = table.columns.map(({ name, kind, nullable, from }, index) => ({
      name,
      kind,
      required: !nullable,
      field_id: fieldId(index),
      ...(from === null && { value: constants[name] ?? '' }),
    }));
    tables.push({ name: table.name, select: tableSelect(table.name, parameters), predicates, columns });
  }
  return {
    account_id: String(account_id),
    snapshot_id,
    generated_at: formatInstant(generated_at),
    exported_snapshot,
    pg_snapshot,
    session_options: sessionOptions({ role: 'cf_reader', appUrl: app_url }),
    session_start: joiningText({ account_id }, moment),
    tables,
  };
}

/**
 * A condition that fails with a division by zero for a session that sees another moment, or no account: without it such a
 * session would read other rows, or none, and say nothing. PostgreSQL computes it once, before the first row.
 */
function guardOf(account_id: bigint, pg_snapshot: string): string {
  const sees = [
    `pg_current_snapshot()::text = ${escapeLiteral(pg_snapshot)}`,
    `current_setting('app.account_id', true) = '${account_id}'`,
  ];
  return `(select 1 / (case when ${sees.join(' and ')} then 1 else 0 end)) = 1`;
}
