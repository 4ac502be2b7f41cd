/** Ledgers whose cells are drawn: what the ledger takes of a cell stays, and what it refuses leaves the row as it was. */
import type { Client } from 'pg';
import type { Chance } from '../../chaos/chance.ts';
import { drawnDocument, drawnValue } from './drawn-values.ts';

interface Column {
  readonly relation: string;
  readonly name: string;
  readonly type: string;
  /** An expression that identifies a row. */
  readonly key: string;
  /** True if the ledger refuses every change of a written row. */
  readonly frozen: boolean;
}

interface Cell extends Column {
  readonly row: string;
  readonly value: string | null;
}

/** The tables that a file of a snapshot is made of. */
const TABLES = [
  'accounts',
  'users',
  'platforms',
  'accounting_months',
  'ai_spend_links',
  'allocation_lines',
  'approval_decisions',
  'bill_shares',
  'books_accounts',
  'budget_versions',
  'card_charges',
  'connections',
  'cost_entries',
  'document_citations',
  'documents',
  'formula_versions',
  'formulas',
  'initiatives',
  'metrics',
  'observations',
  'portfolio_decisions',
  'provider_bills',
  'recurring_costs',
  'time_studies',
  'value_entries',
  'vendor_bills',
  'vendors',
];

// Keys and references name other rows; a drawn one would only be refused. The clock's column is not of the file.
const COLUMNS = `
select format('%I.%I', n.nspname, c.relname) as relation, a.attname::text as name,
  case when t.typname = 'cents' then 'cents' when t.typtype = 'd' then format_type(t.typbasetype, null)
    else format_type(a.atttypid, null) end as type,
  (select format('concat_ws(''|'', %s)', string_agg(k.attname, ', ' order by k.attnum)) from pg_attribute k
    where k.attrelid = c.oid and k.attnum = any(p.conkey)) as key,
  exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgqual is null and g.tgtype & 19 = 19
    and g.tgfoid::regproc::text in ('service.refuse_change', 'service.keep_decision')) as frozen
from pg_class c
join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'ledger'
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
join pg_type t on t.oid = a.atttypid
join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
where c.relkind = 'r' and c.relname in (${TABLES.map((name) => `'${name}'`).join(', ')})
  and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'f') and a.attnum = any(k.conkey))
  and a.attname not in ('reporting_enabled_at', 'plan', 'plan_includes_api', 'updated_at', 'is_sample', 'app_url', 'load_ref', 'load_source')
  -- A decision is never written again, so only what nothing else follows from is drawn.
  and (c.relname not in ('approval_decisions', 'portfolio_decisions')
    or a.attname in ('subject_title', 'item_label', 'reason', 'resulting_state', 'rationale', 'next_review_on', 'step', 'total_steps'))
order by 1, 2`;

// A statement a cell: a refused one leaves the others. The rules that wait for the end of a transaction do not wait here.
const DRAW = `
create function pg_temp.draw(cells jsonb) returns text[] language plpgsql as $$
declare
  cell jsonb;
  taken text[] := '{}';
begin
  set constraints all immediate;
  for cell in select value from jsonb_array_elements(cells) loop
    begin
      perform set_config('session_replication_role', case when (cell ->> 'frozen')::boolean then 'replica' else 'origin' end, true);
      execute format('update %s set %I = %L where %s = %L',
        cell ->> 'relation', cell ->> 'name', cell ->> 'value', cell ->> 'key', cell ->> 'row');
      taken := taken || format('%s.%s', cell ->> 'relation', cell ->> 'name');
    exception when others then
      null; -- the ledger refuses the value
    end;
  end loop;
  return taken;
end $$`;

export class DrawnLedger {
  readonly #admin: Client;
  readonly #tables: readonly (readonly [relation: string, columns: readonly Column[]])[];

  private constructor(admin: Client, columns: readonly Column[]) {
    this.#admin = admin;
    this.#tables = [...Map.groupBy(columns, ({ relation }) => relation)];
  }

  /** Of a database of its own, by a superuser: an unchangeable decision is drawn as if it were recorded so. */
  static async open(admin: Client): Promise<DrawnLedger> {
    await admin.query(DRAW);
    const { rows } = await admin.query<Column>(COLUMNS);
    return new DrawnLedger(admin, rows);
  }

  /** Draws so large a share of every column's cells again; returns the columns of which the ledger took a value. */
  async draw(chance: Chance, share: number): Promise<readonly string[]> {
    const cells: Cell[] = [];
    for (const [relation, columns] of this.#tables) {
      const { rows } = await this.#admin.query<Row>(
        `select ${columns[0]?.key} as row, (select jsonb_object_agg(key, value) from jsonb_each_text(to_jsonb(t))) as cells
         from ${relation} t order by 1`,
      );
      for (const column of columns) cells.push(...drawnCells(column, rows, chance, share));
    }
    const { rows } = await this.#admin.query<{ taken: string[] }>('select pg_temp.draw($1) as taken', [
      JSON.stringify(cells),
    ]);
    return rows[0]?.taken ?? [];
  }
}

interface Row {
  readonly row: string;
  readonly cells: Readonly<Record<string, string | null>>;
}

function drawnCells(column: Column, rows: readonly Row[], chance: Chance, share: number): readonly Cell[] {
  const { name, type } = column;
  const seen = rows.map(({ cells }) => cells[name] ?? null).filter((content) => content !== null);
  return rows.flatMap(({ row, cells }) => {
    if (!chance.happens(share)) return [];
    const content = cells[name] ?? null;
    const isDocument = content !== null && ['input_snapshot', 'dimensions'].includes(name);
    const drawn = isDocument ? drawnDocument(content, chance) : drawnValue(type, chance);
    // What the column has in another row is sure to be of its list of values.
    const value = seen.length > 0 && chance.happens(0.25) ? chance.oneOf(seen) : drawn;
    return value === undefined || value === content ? [] : [{ ...column, row, value }];
  });
}
