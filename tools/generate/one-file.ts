/** Bundles a program of several modules into one file of plain JavaScript that people can read before they run it. */
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { rolldown } from 'rolldown';

/**
 * The text of the module at `entry` and of every module it imports: without types, with Node's imports at the top and the
 * comments of declarations kept. An imported package is bundled whole. Throws if an import cannot be found.
 */
export async function oneFile(entry: URL): Promise<string> {
  await using bundle = await rolldown({
    input: fileURLToPath(entry),
    platform: 'node',
    transform: { target: 'node20' },
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: false });
  const { code, errors } = await format('pull.mjs', output[0].code, { printWidth: 110, singleQuote: true });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join());
  return code;
}
