/** What a page shows of the output of a command, as a pattern. */

/** What may differ from day to day and from machine to machine, each with the pattern that stands for it. */
const VARYING: readonly string[] = [
  String.raw`\d{4}-\d\d-\d\d`,
  String.raw`\d{8}T\d{6}Z`,
  String.raw`\d\d:\d\d:\d\d`,
  String.raw` +\d+\.\d{3} MB`,
  String.raw` +\d+\.\d\d s`,
  String.raw`127\.0\.0\.1:\d+`,
  String.raw`port \d+`,
];
const ANY_VARYING = new RegExp(`(…|SHA256:[\\w+/]+|${VARYING.join('|')})`);

/** Output as a page shows it, as a pattern: `…` stands for any text, and what varies may be another of its kind. */
export function outputPattern(shown: string): RegExp {
  const parts = shown.trim().split(ANY_VARYING).map(partPattern);
  return new RegExp(`^${parts.join('')}$`);
}

function partPattern(part: string): string {
  if (part === '…') return '[^]*?';
  if (part.startsWith('SHA256:')) return String.raw`SHA256:[\w+/]+`;
  return VARYING.find((each) => new RegExp(`^${each}$`).test(part)) ?? escaped(part);
}

/** The text as a pattern that matches it alone. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
