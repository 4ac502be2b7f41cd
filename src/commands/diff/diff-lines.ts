/** Changed rows and moved totals as lines for people. */
import type { Cells, Change } from '../../diff/change.ts';
import type { TableChanges } from '../../diff/changes-file.ts';
import { aligned } from '../terminal/aligned.ts';

/** The two compared snapshots. */
export function headLines({ from, to }: { readonly from: string; readonly to: string }): readonly string[] {
  return aligned([
    ['from', from],
    ['to', to],
  ]);
}

/** The number of changed rows of each table; one line if nothing changed. */
export function countLines(tables: readonly TableChanges[]): readonly string[] {
  const counted = tables.filter(({ added, removed, changed }) => added + removed + changed > 0);
  if (counted.length === 0) return ['nothing changed'];
  return aligned([
    ['table', 'added', 'removed', 'changed'],
    ...counted.map(({ name, added, removed, changed }) => [
      name,
      String(added),
      String(removed),
      String(changed),
    ]),
  ]);
}

/** The changed totals of a window of the portfolio, each with the reasons; no lines for a window of an initiative. */
export function moveLines({ key, moved }: Change): readonly string[] {
  return key['scope'] === 'portfolio' ? movedLines(String(key['window_key']), moved) : [];
}

/** A changed row: its key, the reason and the differences; of an added or removed row, each column that has a value. */
export function rowLines({ table, change, key, reason, before, after, moved }: Change): readonly string[] {
  const named = Object.entries(key).map(([name, value]) => `${name} ${said(value)}`);
  const head = `${table} ${named.join(', ')}: ${change}${reason === null ? '' : `, ${reason}`}`;
  return [head, ...cellLines(before, after), ...movedLines('', moved).map((line) => `  ${line}`)];
}

function cellLines(before: Cells | null, after: Cells | null): readonly string[] {
  if (before !== null && after !== null) {
    return Object.keys(after).map((name) => `  ${name}: ${said(before[name])} -> ${said(after[name])}`);
  }
  return Object.entries(after ?? before ?? {}).flatMap(([name, value]) =>
    value === null || name === 'snapshot_id' ? [] : [`  ${name}: ${said(value)}`],
  );
}

function movedLines(window: string, moved: Change['moved']): readonly string[] {
  return moved.flatMap(({ figure, before_cents, after_cents, because }) => [
    `${window} ${figure}: ${before_cents} -> ${after_cents}, ${signed(BigInt(after_cents) - BigInt(before_cents))}`.trimStart(),
    ...because.map(
      ({ reason, cents, entries }) =>
        `    ${signed(cents)}  ${reason}${entries === 0 ? '' : `, entries: ${entries}`}`,
    ),
  ]);
}

function said(value: Cells[string] | undefined): string {
  return String(value ?? 'empty');
}

function signed(cents: number | bigint): string {
  return cents > 0 ? `+${cents}` : String(cents);
}
