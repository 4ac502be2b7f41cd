/** Bundles a program for browsers into one script without imports, readable like its source. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The packages that the scripts may contain. Their licence, MIT, requires its notice in every copy. */
const PACKAGES = ['hyparquet', 'fzstd'] as const;

/** The text of the module at `entry` and of every module it imports. Throws if a module needs Node. */
export async function browserScript(entry: URL): Promise<string> {
  await using bundle = await rolldown({
    // With links resolved, comments would show the real path of a linked node_modules, and the text would differ.
    resolve: { symlinks: false },
    input: fileURLToPath(entry),
    platform: 'browser',
    transform: { target: 'es2022' },
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.generate({
    format: 'iife',
    minify: false,
    comments: false,
    codeSplitting: false,
  });
  const [{ code, moduleIds }] = output;
  const used = PACKAGES.filter((name) => moduleIds.some((id) => id.includes(`/node_modules/${name}/`)));
  const notices = used.map((name) => `/*!\n${name}\n\n${licenceOf(name)}\n*/\n`);
  return `${notices.join('')}${code}`;
}

function licenceOf(name: (typeof PACKAGES)[number]): string {
  return readFileSync(new URL(`../../node_modules/${name}/LICENSE`, import.meta.url), 'utf8').trim();
}
