/** What the README shows: its blocks of code, its calls of curl, and its output as a pattern. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The code blocks of these languages, in their order. */
export function blocksOf(text: string, ...languages: readonly string[]): readonly string[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, language = '', code = '']) =>
    languages.includes(language) ? [code] : [],
  );
}

/** What may differ from day to day and from machine to machine, each with the pattern that stands for it. */
const VARYING: readonly (readonly [shown: RegExp, pattern: string])[] = [
  [/^…$/, String.raw`[^]*?`],
  [/^\d{4}-\d\d-\d\d$/, String.raw`\d{4}-\d\d-\d\d`],
  [/^\d{8}T\d{6}Z$/, String.raw`\d{8}T\d{6}Z`],
  [/^ +\d+\.\d\d s$/, String.raw` +\d+\.\d\d s`],
  [/^127\.0\.0\.1:\d+$/, String.raw`127\.0\.0\.1:\d+`],
  [/^data\/demo\.env$/, String.raw`\S*\/demo\.env`],
];
const ANY_VARYING = /(…|\d{4}-\d\d-\d\d|\d{8}T\d{6}Z| +\d+\.\d\d s|127\.0\.0\.1:\d+|data\/demo\.env)/;

/** Output as the README shows it, as a pattern: `…` stands for any text, and what varies may be another of its kind. */
export function outputPattern(shown: string): RegExp {
  const parts = shown
    .trim()
    .split(ANY_VARYING)
    .map((part) => VARYING.find(([of]) => of.test(part))?.[1] ?? escaped(part));
  return new RegExp(`^${parts.join('')}$`);
}

/** The text as a pattern that matches it alone. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Does with fetch what a line of curl asks for: a header, a file to write below `folder`, an address. Gives the body. */
export async function curlByFetch(
  line: string,
  variables: Readonly<Record<string, string>>,
  folder: string,
): Promise<string> {
  const known = (text: string): string =>
    text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => variables[name] ?? `$${name}`);
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => known(quoted ?? bare ?? ''));
  const headers = new Headers();
  let file: string | null = null;
  let url = '';
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '-H') headers.append(...(words[(at += 1)]?.split(': ') as [string, string]));
    else if (word === '-o') file = words[(at += 1)] ?? null;
    else if (word.startsWith('-'))
      throw new Error(`${line}: ${word} is an option that this test does not know`);
    else url = word;
  }
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${line}: answered with ${response.status}`);
  const bytes = await response.bytes();
  if (file !== null) await writeFile(join(folder, file), bytes);
  return new TextDecoder().decode(bytes);
}
