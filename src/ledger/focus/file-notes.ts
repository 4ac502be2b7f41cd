/** Notes for people about a file of charges: cells that could not be read, amounts that were rounded, words that it lacks. */

export interface Seen {
  /** The numbers of charges of the file whose amount was rounded, and that are AI. */
  rounded: number;
  ai: number;
  /** By the name of the column. */
  readonly unread: Map<string, Unread>;
}

/** A column whose cells could not be read in so many charges of a file, with the first such cell. */
interface Unread {
  /** As the file names it. */
  readonly column: string;
  /** The form that each such cell lacks. */
  readonly is: string;
  readonly such: string;
  charges: number;
}

export function openSeen(): Seen {
  return { rounded: 0, ai: 0, unread: new Map() };
}

/** Counts a charge that is read without the cell of a column. */
export function countUnread({ unread }: Seen, cell: Omit<Unread, 'charges'>): void {
  const found = unread.get(cell.column) ?? { ...cell, charges: 0 };
  found.charges += 1;
  unread.set(cell.column, found);
}

/** The notes; `withoutCategory` names the provider of an export that has no category of services. */
export function fileNotes(
  file: string,
  { rounded, ai, unread }: Seen,
  withoutCategory: string | null,
): readonly string[] {
  const notes = [...unread.values()].map(
    ({ column, is, charges, such }) =>
      `${file}: read ${counted(charges, 'charge')} without ${column}: it is no ${is} there, such as ${such.slice(0, 100)}`,
  );
  if (rounded > 0)
    notes.push(
      `${file}: rounded ${counted(rounded, 'amount')} below a ten-thousandth of a cent to 30 decimals`,
    );
  if (withoutCategory !== null && ai === 0)
    notes.push(
      `${file}: no charge counts as AI, because the export of ${withoutCategory} has no category of services; name its AI services in a rule of --map with ai: true`,
    );
  return notes;
}

export function lackingNote(file: string, lacking: readonly string[]): string {
  return `${file}: its AI charges name no ${lacking.join(' and no ')}; load usage.csv to add tokens to its bills`;
}

function counted(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}
