/** Writes YAML for our generated files: maps, lists, numbers, texts, booleans and null. */

/**
 * The value as a YAML block. Plain words are written unquoted. Every other text is written as a JSON string, which YAML
 * reads the same way.
 */
export function yaml(value: unknown): string {
  return `${block(value, '').trimStart()}\n`;
}

// A word that needs no quotes, unless it is one of `WORDS_OF_YAML`.
const PLAIN = /^[a-z][a-z0-9_.]*$/;
const WORDS_OF_YAML = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    return value.map((each) => `\n${indent}- ${block(each, `${indent}  `).trimStart()}`).join('');
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => `\n${indent}${key}: ${block(member, `${indent}  `)}`.replace(/: \n/, ':\n'))
      .join('');
  }
  if (typeof value === 'string' && PLAIN.test(value) && !WORDS_OF_YAML.has(value)) return value;
  return JSON.stringify(value);
}
