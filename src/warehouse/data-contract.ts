/**
 * The reporting tables as a data contract in the Open Data Contract Standard 3.1: columns and keys from the declarations,
 * quality from what the audit checks, service levels from the schedule.
 */
import type { FieldKind } from '../fields.ts';
import { wholeKey } from '../tables/create-table.ts';
import { typeIn } from '../tables/dialects.ts';
import { SCHEMA_VERSION } from '../tables/describe.ts';
import type { Column, Table } from '../tables/table.ts';
import { type DescribedSnapshot, describedTables, hasPrimaryKey, referencedColumn } from './data-package.ts';
import { yaml } from './yaml.ts';

const LOGICAL: Readonly<Record<FieldKind, string>> = {
  id: 'integer',
  cents: 'integer',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  string: 'string',
  text: 'string',
  json: 'string',
};

/** A snapshot is built every night; if the newest is older than 30 hours, the next is late. A snapshot is kept for 14 days. */
const SERVICE_LEVELS = [
  { property: 'frequency', value: 1, unit: 'd', element: 'snapshot.generated_at' },
  { property: 'latency', value: 30, unit: 'h', element: 'snapshot.generated_at' },
  { property: 'retention', value: 14, unit: 'd', element: 'snapshot.generated_at' },
];

/** Rules for the totals that the audit checks, too. Each query counts the rows that break a rule, over all loaded snapshots. */
const TOTALS_RULES = [
  {
    reads: ['costs'],
    description: 'The cost of the portfolio in all time is the sum of the costs.',
    query: `select count(*) from reported_totals t
where t.scope = 'portfolio' and t.window_key = 'all' and t.cost_cents <>
  (select coalesce(sum(c.usd_amount_cents), 0) from costs c where c.snapshot_id = t.snapshot_id)`,
  },
  {
    reads: ['reported_value'],
    description: 'The cash value of the portfolio in all time is the sum of the cash entries.',
    query: `select count(*) from reported_totals t
where t.scope = 'portfolio' and t.window_key = 'all' and t.cash_value_cents <>
  (select coalesce(sum(v.usd_amount_cents), 0) from reported_value v
   where v.snapshot_id = t.snapshot_id and v.entry_type <> 'capacity')`,
  },
  {
    reads: [],
    description: 'Net value is cash value less cost.',
    query: 'select count(*) from reported_totals where net_value_cents <> cash_value_cents - cost_cents',
  },
  {
    reads: [],
    description: 'One-time and running cost add up to cost.',
    query: 'select count(*) from reported_totals where capex_cents + opex_cents <> cost_cents',
  },
] as const;

/**
 * The contract as YAML. For a snapshot it also names the files, relative to the folder that `pull` makes. Without a snapshot it
 * is of tables with any number of snapshots, so their keys begin with `snapshot_id`.
 */
export function dataContract(snapshot?: DescribedSnapshot): string {
  const tables = describedTables(snapshot);
  return yaml({
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'crossfoot-reporting-tables',
    name: 'Crossfoot reporting tables',
    version: snapshot?.snapshot_id ?? SCHEMA_VERSION,
    status: 'active',
    description: {
      purpose: 'Audited reporting tables: one consistent moment of the ledger a snapshot.',
      usage:
        'Amounts are whole cents. Tables of one snapshot belong together. The file focus.parquet beside them has the costs in the format of FOCUS 1.2, with decimal amounts.',
      limitations: 'Cash value and freed capacity are two figures. Never add them.',
    },
    ...(snapshot && {
      servers: [{ server: 'files', type: 'local', path: './{model}.parquet', format: 'parquet' }],
    }),
    schema: tables.map((table) =>
      schemaObject(table, snapshot === undefined ? wholeKey(table) : table.key, tables),
    ),
    slaProperties: SERVICE_LEVELS,
  });
}

function schemaObject(table: Table, key: readonly string[], tables: readonly Table[]) {
  const { name, grain, description, columns } = table;
  return {
    name,
    physicalName: name,
    physicalType: 'table',
    logicalType: 'object',
    dataGranularityDescription: grain,
    description,
    properties: columns.map((column) => property(column, hasPrimaryKey(table) ? key : [], tables)),
    quality: [uniqueKey(key), ...(name === 'reported_totals' ? totalsRules(tables) : [])],
  };
}

/** The rules whose tables are all in `tables`. */
function totalsRules(tables: readonly Table[]) {
  const names = new Set(tables.map(({ name }) => name));
  return TOTALS_RULES.filter(({ reads }) => reads.every((name) => names.has(name))).map(
    ({ description, query }) => ({
      type: 'sql',
      query: query.replaceAll(/\s+/g, ' '),
      mustBe: 0,
      description,
    }),
  );
}

/** The rule that no two rows have the same key, which the audit checks, too. */
function uniqueKey(key: readonly string[]) {
  return {
    type: 'library',
    metric: 'duplicateValues',
    arguments: { properties: key },
    mustBe: 0,
    description: `No two rows have the same ${key.join(', ')}.`,
  };
}

function property(
  { name, kind, nullable, description, values, references }: Column,
  key: readonly string[],
  tables: readonly Table[],
) {
  const position = key.indexOf(name) + 1;
  const known = tables.some((table) => table.name === references);
  return {
    name,
    logicalType: LOGICAL[kind],
    // The tester of contracts knows no name of DuckDB for an instant with its zone.
    ...(kind !== 'timestamp' && { physicalType: typeIn('duckdb', kind) }),
    description,
    required: !nullable,
    ...(position > 0 && { primaryKey: true, primaryKeyPosition: position }),
    ...(references !== undefined &&
      known && {
        relationships: [{ type: 'foreignKey', to: `${references}.${referencedColumn(references)}` }],
      }),
    ...(values && {
      quality: [{ type: 'library', metric: 'invalidValues', arguments: { validValues: values }, mustBe: 0 }],
    }),
  };
}
