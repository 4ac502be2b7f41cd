/** Reads a YAML file that a person writes beside the files of a load. */
import { readFile } from 'node:fs/promises';
import { isScalar, parseDocument, visit } from 'yaml';
import { didYouMean } from './nearest-file.ts';

const YAML = /\.ya?ml$/i;
/**
 * The limit of keys that the parser compares with each other. It compares each key of a map with all keys before it: 40,000
 * keys took a minute. A map of 1,400 keys is below the limit; FOCUS has 80 columns.
 */
const MAX_COMPARED_KEYS = 1_000_000;

/** Throws the error of the file: why it cannot be used, and the end of the sentence. */
export type RefuseYaml = (why: string, cause: unknown, end?: string) => never;

/** The content of the file, in which a number keeps the digits that the file has. Null if the file is empty. */
export async function readYaml(path: string, refuse: RefuseYaml): Promise<unknown> {
  const yaml = await readFile(path, 'utf8').catch(async (cause: unknown) => {
    const end = await didYouMean(path, { files: (name) => YAML.test(name), folders: false });
    return refuse('is not a file that can be read', cause, end);
  });
  let compared = 0;
  const document = parseDocument(yaml, {
    uniqueKeys: (a, b) => {
      compared += 1;
      // "Equal" ends the comparisons of a key at once; the parser would catch an error.
      if (compared > MAX_COMPARED_KEYS) return true;
      return a === b || (isScalar(a) && isScalar(b) && a.value === b.value);
    },
  });
  if (compared > MAX_COMPARED_KEYS) refuse('has more than a thousand keys in one map', undefined);
  const [broken] = document.errors;
  if (broken !== undefined) refuse(`is no YAML: ${broken.message.split('\n')[0]}`, broken);
  // Those of an account may begin with a zero.
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'number') node.value = node.source ?? String(node.value);
    },
  });
  return document.toJS();
}
