/** Splits the text of a page at its second-level headings. */
import type { PageFault, PlacedText } from './front-matter.ts';

const HEADING = /^## (?<name>.+)$/;
const CODE = /^```\w*\n(?<code>[^]*)\n```$/;

/** The sections by name. Each name in `known` may occur once; text before the first heading is a fault. */
export function readSections(
  body: PlacedText,
  known: readonly string[],
): { readonly sections: ReadonlyMap<string, PlacedText>; readonly faults: readonly PageFault[] } {
  const sections = new Map<string, PlacedText>();
  const faults: PageFault[] = [];
  if (body.text === '') return { sections, faults };
  for (const { name, text, line } of split(body)) {
    const refuse = (expected: string): unknown => faults.push({ line, field: name, value: name, expected });
    if (name === null || !known.includes(name)) refuse(`one of the sections ${known.join(', ')}`);
    else if (sections.has(name)) refuse('each section once');
    else if (text === '') refuse('a text below the heading, or the section left out');
    else sections.set(name, { text, line });
  }
  return { sections, faults };
}

/** The code in a text that is one code block; null for any other text. */
export function onlyCode(text: string): string | null {
  const code = CODE.exec(text)?.groups?.['code'];
  return code === undefined || code.includes('\n```') ? null : code;
}

function split(body: PlacedText): { name: string | null; text: string; line: number }[] {
  const parts: { name: string | null; lines: string[]; line: number }[] = [];
  let isCode = false;
  for (const [index, text] of body.text.split('\n').entries()) {
    if (text.startsWith('```')) isCode = !isCode;
    const name = isCode ? undefined : HEADING.exec(text)?.groups?.['name'];
    const last = parts.at(-1);
    if (name !== undefined) parts.push({ name, lines: [], line: body.line + index });
    else if (last === undefined) parts.push({ name: null, lines: [text], line: body.line + index });
    else last.lines.push(text);
  }
  return parts.map(({ name, lines, line }) => ({ name, text: lines.join('\n').trim(), line }));
}
