/**
 * Modules of ours as one file of plain JavaScript: each after what it imports, types erased, imports from Node gathered
 * at the top. Only what our own modules do is understood; anything else is refused when the file is made.
 */
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

const IMPORT = /^import \{([^}]*)\} from '([^']+)';\n/gm;
const BLANK_LINES = /\n{3,}/g;

/** The text of the module at `entry` and of all that it imports below it; runs in any Node that knows their syntax. */
export async function oneFile(entry: URL): Promise<string> {
  const bodies = new Map<string, string>();
  const builtins = new Map<string, Set<string>>();
  await add(entry);
  const imports = [...builtins]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, names]) => `import { ${[...names].toSorted().join(', ')} } from '${from}';\n`);
  return `${imports.join('')}\n${[...bodies.values()].join('\n')}`.replaceAll(BLANK_LINES, '\n\n');

  async function add(module: URL): Promise<void> {
    if (bodies.has(module.href)) return;
    bodies.set(module.href, ''); // a cycle would end here, and the house has none
    const text = eraseTypes(await readFile(module, 'utf8'));
    for (const [, names = '', from = ''] of text.matchAll(IMPORT)) {
      if (from.startsWith('.')) await add(new URL(from, module));
      else builtins.set(from, new Set([...(builtins.get(from) ?? []), ...listed(names)]));
    }
    const body = text.replaceAll(IMPORT, '').replaceAll(/^export (?=async |class |const |function )/gm, '');
    const strange = /^(?:import|export)\b.*/m.exec(body);
    if (strange !== null) throw new Error(`${module.pathname}: cannot be put into one file: ${strange[0]}`);
    bodies.delete(module.href); // put behind what it imports
    bodies.set(module.href, body);
  }
}

function listed(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Node puts blanks where types were; here they are closed up, so that a person may read the file before running it. */
function eraseTypes(source: string): string {
  const stripped = stripTypeScriptTypes(source);
  const before = source.split('\n');
  const lines = stripped.split('\n').map((line, row) => {
    const original = before[row] ?? '';
    if (line === original) return line;
    const closed = line.replaceAll(/ +/g, (blanks, at: number) => {
      const erased = original.slice(at, at + blanks.length);
      if (erased === blanks) return blanks;
      // At the beginning of a line the blanks before what was erased are its indentation.
      if (at === 0) return /^ */.exec(erased)?.[0] ?? '';
      return erased.endsWith(' ') ? ' ' : '';
    });
    return closed.trim() === '' ? null : closed.trimEnd();
  });
  return lines.filter((line) => line !== null).join('\n');
}
