/** Turns one page of Markdown into rows; each cell keeps its line, for messages. */
import { type PageFault, type PlacedText, readPage } from './front-matter.ts';
import type { PageKind, PagePart, PageTable } from './page-kinds.ts';
import { onlyCode, readSections } from './page-sections.ts';

/** A row of a table from a page, with the columns that the page has. */
export interface PageRow {
  readonly table: string;
  readonly cells: ReadonlyMap<string, PlacedText>;
}

/** The rows of a page; none if it has faults. `name` is the name of the file without extension. */
export function readPageRows(
  kind: PageKind,
  name: string,
  text: string,
): { readonly rows: readonly PageRow[]; readonly faults: readonly PageFault[] } {
  const { page, faults: unread } = readPage(text);
  const { sections, faults: misplaced } =
    kind.sections === null
      ? { sections: new Map<string, PlacedText>(), faults: [] }
      : readSections(page.body, kind.sections);
  const parts: PageParts = { fields: page.fields, body: page.body, sections };
  // A key that could not be read must not be reported as missing too.
  const faults = unread.length > 0 ? unread : [...keyFaults(kind, name, parts), ...misplaced];
  const rows: PageRow[] = [];
  const wrong: PageFault[] = [];
  for (const table of kind.tables) rows.push(...tableRows(table, parts, wrong));
  const all = [...faults, ...wrong];
  return { rows: all.length > 0 ? [] : rows, faults: all };
}

interface PageParts {
  readonly fields: ReadonlyMap<string, PlacedText>;
  readonly body: PlacedText;
  readonly sections: ReadonlyMap<string, PlacedText>;
}

function keyFaults(kind: PageKind, name: string, { fields }: PageParts): PageFault[] {
  const known = [...kind.required, ...kind.optional];
  const strange = fields
    .entries()
    .filter(([key]) => !known.includes(key))
    .map(([field, { text, line }]): PageFault => {
      return { line, field, value: text, expected: `one of the keys ${known.join(', ')}` };
    });
  const absent = kind.required
    .filter((key) => !fields.has(key))
    .map((field): PageFault => {
      return { line: 1, field, value: null, expected: 'this key, which every page of the folder has' };
    });
  const title = kind.named === undefined ? undefined : fields.get(kind.named);
  const misnamed =
    title === undefined || kind.named === undefined || title.text === name
      ? []
      : [
          {
            line: title.line,
            field: kind.named,
            value: title.text,
            expected: `the file's own name, ${name}`,
          },
        ];
  return [...strange, ...absent, ...misnamed];
}

function tableRows(table: PageTable, parts: PageParts, faults: PageFault[]): PageRow[] {
  const { needsOneOf, each } = table;
  if (needsOneOf?.every((part) => !parts.fields.has(part) && !parts.sections.has(part)) === true) return [];
  const cells = new Map<string, PlacedText>();
  for (const [column, part] of Object.entries(table.columns)) {
    const cell = placedPart(part, parts);
    if (cell === undefined || cell.text === '') continue;
    if (!('section' in part) || part.as !== 'code') cells.set(column, cell);
    else {
      const text = onlyCode(cell.text);
      if (text !== null) cells.set(column, { text, line: cell.line });
      else
        faults.push({
          line: cell.line,
          field: part.section,
          value: cell.text,
          expected: 'one block of code',
        });
    }
  }
  if (each === undefined) return [{ table: table.table, cells }];
  const values = cells.get(each);
  if (values === undefined) return [];
  return values.text.split(/ *, */).map((text) => {
    return { table: table.table, cells: new Map([...cells, [each, { text, line: values.line }]]) };
  });
}

function placedPart(part: PagePart, { fields, sections, body }: PageParts): PlacedText | undefined {
  if ('key' in part) return fields.get(part.key);
  if ('section' in part) return sections.get(part.section);
  return 'always' in part ? { text: part.always, line: 1 } : body;
}
