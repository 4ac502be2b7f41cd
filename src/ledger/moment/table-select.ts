/** The selects of the tables of a snapshot, generated from their declarations. */
import { tableInSet } from '../../tables/file-sets.ts';
import { DAY, type Instant } from '../../instant.ts';

/** The only inputs of a select, so that one ledger at one moment always gives the same file. */
export interface SelectParameters {
  readonly account_id: bigint;
  readonly generated_at: Instant;
}

const ORDER_BY = ' order by ';

/**
 * The text to COPY: the columns that are read from the ledger, in published order. COPY takes no bound parameters, so they
 * are written as integers, which cannot inject SQL. `condition`, if given, selects some of the rows.
 */
export function tableSelect(name: string, parameters: SelectParameters, condition?: string): string {
  const table = tableInSet(name)?.table;
  if (table === undefined || table.from === null) throw new RangeError(`no select gives the rows of ${name}`);
  const columns = table.columns.flatMap((column) => {
    if (column.from === null) return [];
    // PostgreSQL folds a name without quotes to lower case.
    const shown = /[A-Z]/.test(column.name) ? `"${column.name}"` : column.name;
    return [column.from === column.name ? column.name : `${column.from} as ${shown}`];
  });
  const { rows, order } = splitOrder(table.from);
  const from =
    condition === undefined ? table.from : `${rows} and ${condition}${ORDER_BY}${order.join(', ')}`;
  return filledIn(`select\n  ${columns.join(',\n  ')}\nfrom ${from}`, parameters);
}

/** A declared text after `from`, split before its order; the order is the list of its expressions. */
export function splitOrder(from: string): { readonly rows: string; readonly order: readonly string[] } {
  const at = from.lastIndexOf(ORDER_BY);
  return { rows: from.slice(0, at), order: from.slice(at + ORDER_BY.length).split(', ') };
}

/** The text with its parameters written into it. */
export function filledIn(text: string, parameters: SelectParameters): string {
  const literals: Record<string, string> = {
    account_id: `bigint '${BigInt.asIntN(64, parameters.account_id)}'`,
    as_of: dayLiteral(parameters.generated_at),
    generated_at: instantLiteral(parameters.generated_at),
  };
  return text.replaceAll(/(?<!:):([a-z_]+)/g, (match, parameter: string) => literals[parameter] ?? match);
}

/** The instant as SQL. Interval arithmetic on integers is exact to the microsecond; a floating-point epoch is not. */
export function instantLiteral(microseconds: Instant): string {
  return `(timestamptz '1970-01-01 00:00:00Z' + ${microseconds} * interval '1 microsecond')`;
}

function dayLiteral(microseconds: Instant): string {
  const days = BigInt.asIntN(64, microseconds) / DAY;
  return `(date '1970-01-01' + ${days})`;
}
