/** Writing YAML for what our generated files need: maps, lists, numbers and texts. */

/** The value as a block of YAML. Texts stand as JSON writes them, which YAML reads alike, whatever they hold. */
export function yaml(value: unknown): string {
  return `${block(value, '').trimStart()}\n`;
}

// A plain word that YAML could take for nothing else.
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
