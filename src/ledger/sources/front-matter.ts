/**
 * Reads a page of Markdown with front matter: a line `---`, lines `key: value`, a line `---`, then the text.
 *
 * A key has lower-case letters and `_`. One space follows the colon, and the value is the rest of the line. There are no
 * quotes, lists, nesting or comments; a key without a value must be omitted. A value that YAML would read differently
 * (a special first character, or `: ` or ` #` inside) is refused, so that YAML readers see the same values.
 */

/** A value and its line. */
export interface PlacedText {
  readonly text: string;
  readonly line: number;
}

export interface Page {
  readonly fields: ReadonlyMap<string, PlacedText>;
  /** The text below the front matter, without empty lines around it. */
  readonly body: PlacedText;
}

/** A fault on a line of a page. */
export interface PageFault {
  readonly line: number;
  /** The key or section, if known. */
  readonly field: string | null;
  readonly value: string | null;
  readonly expected: string;
}

const FENCE = '---';
/** Before a block of code that our tests do not run: a note in the source, which no reader of the page sees. */
const NOTE = /^<!-- not run: .+ -->$/;
const FIELD = /^(?<key>[a-z_]+): (?<value>\S(?:.*\S)?)$/;
const READ_OTHERWISE = /^(?:["'[\]{}>|&*!%@`#]|[-?:](?:\s|$))|: | #|:$/;

/** Reads a page; parts that cannot be read are omitted and reported as faults. */
export function readPage(text: string): { readonly page: Page; readonly faults: readonly PageFault[] } {
  const lines = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => (NOTE.test(line) ? '' : line));
  const fields = new Map<string, PlacedText>();
  const faults: PageFault[] = [];
  const end = lines[0] === FENCE ? lines.indexOf(FENCE, 1) : -1;
  if (end === -1) {
    const expected = lines[0] === FENCE ? 'a second line --- after the keys' : 'a line --- before the keys';
    faults.push({ line: 1, field: null, value: lines[0] ?? null, expected });
  }
  for (const [before, line] of lines.slice(1, Math.max(end, 1)).entries()) {
    const index = before + 2;
    const { key, value } = FIELD.exec(line)?.groups ?? {};
    const refuse = (expected: string): unknown =>
      faults.push({ line: index, field: key ?? null, value: value ?? line, expected });
    if (key === undefined || value === undefined) refuse('key: value, or the line left out');
    else if (READ_OTHERWISE.test(value))
      refuse('a plain value, without signs that YAML would read otherwise');
    else if (fields.has(key)) refuse('each key once');
    else fields.set(key, { text: value, line: index });
  }
  return { page: { fields, body: readBody(lines, end + 1) }, faults };
}

function readBody(lines: readonly string[], from: number): PlacedText {
  const first = lines.findIndex((line, index) => index >= from && line.trim() !== '');
  if (first === -1) return { text: '', line: lines.length };
  return { text: lines.slice(first).join('\n').trimEnd(), line: first + 1 };
}
