/** Writes a name into a command that people copy. */

/** The name as a shell takes it: quoted, if it has blanks or other letters that mean something there. */
export function shellWord(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
