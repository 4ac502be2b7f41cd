/** Where the forms of a table's rows lead: to the address of the view with a new filter, or with other columns. */
import { isCrossfootError } from '../../errors.ts';
import type { LeftOutReason } from '../../figures/left-out-reasons.ts';
import type { Column, Table } from '../../tables/table.ts';
import type { Names } from '../../snapshot/read/sheet-cells.ts';
import { shownColumn } from './row-cells.ts';
import { columnNamed, expectedOf, readRowQuery } from './row-query.ts';
import type { RefusedParameter } from './shown-rows.ts';
import { isSpelled, typedFilter, WAYS_TO_COMPARE } from './typed-filter.ts';

interface Filtered {
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly idNames: Names;
  readonly reasons: readonly LeftOutReason[] | undefined;
  readonly spellings: readonly string[];
}

/** The column and text of a form's filter whose upper and lower case does not count; null if there is no such filter. */
export function spelledText(
  parameters: URLSearchParams,
  columns: readonly Column[],
): { readonly column: Column; readonly text: string } | null {
  const column = columns.find(({ name }) => name === parameters.get('add_column'));
  const text = (parameters.get('add_value') ?? '').trim();
  if (column === undefined || text === '' || !isSpelled(column, wayOf(parameters.get('add_how'))))
    return null;
  return { column, text };
}

/** The parameters of the view that a form asks for; null for an address without a form. A wrong filter is refused in the words of the form. */
export function addressOfForm(parameters: URLSearchParams, view: Filtered): string | RefusedParameter | null {
  const wanted = new URLSearchParams(
    [...parameters].filter(([name]) => !name.startsWith('add_') && name !== 'show_column'),
  );
  const shown = parameters.getAll('show_column');
  const column = view.columns.find(({ name }) => name === parameters.get('add_column'));
  if (shown.length === 0 && column === undefined) return null;
  if (shown.length > 0) wanted.set('columns', shown.join(','));
  if (column !== undefined) {
    const how = wayOf(parameters.get('add_how'));
    const text = (parameters.get('add_value') ?? '').trim();
    if (text !== '' || how === 'empty' || how === 'filled') {
      const filter = readTyped({ column, how, text }, view);
      if ('message' in filter) return filter;
      for (const [name, value] of filter.given) {
        // A column has one bound at each end: the new one takes the place of the old one.
        const end = columnNamed(name, view.columns)?.end;
        if (end === 'from' || end === 'through') wanted.set(name, value);
        else wanted.append(name, value);
      }
    }
  }
  const text = wanted.toString();
  return text === '' ? '' : `?${text}`;
}

type Way = keyof typeof WAYS_TO_COMPARE;

function wayOf(how: string | null): Way {
  return how !== null && how in WAYS_TO_COMPARE ? (how as Way) : 'is'; // one of its keys
}

interface Typed {
  readonly column: Column;
  readonly how: Way;
  readonly text: string;
}

function readTyped(typed: Typed, view: Filtered) {
  const { table, columns } = view;
  const { column, how, text } = typed;
  const refusal = (message: string): RefusedParameter => ({ name: column.name, value: text, how, message });
  try {
    const given = typedFilter(typed, view);
    const isRead = isAccepted(() =>
      readRowQuery(
        new URLSearchParams(given.map(([name, value]): [string, string] => [name, value])),
        table,
        columns,
      ),
    );
    return isRead ? { given } : refusal(`${shownColumn(column)} must be ${expectedOf(column)}.`);
  } catch (error) {
    if (isCrossfootError(error, 'parameter_refused')) return refusal(error.message);
    throw error;
  }
}

function isAccepted(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (isCrossfootError(error, 'parameter_refused')) return false;
    throw error;
  }
}
