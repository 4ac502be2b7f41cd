/**
 * Turns checks of the schema into words. If a check fits no pattern, the words are in a comment on the constraint, in the
 * schema.
 */

/** A pattern of checks, matched against the text of `pg_get_expr` without casts, and the words for it. */
type Form = readonly [pattern: RegExp, words: (...parts: readonly string[]) => string];

const FORMS: readonly Form[] = [
  [/^\w+ = ANY \(ARRAY\[(.*)\]\)$/, (values) => `one of ${values.replaceAll("'", '')}`],
  [/^(?:service\.)?trimmed\w+ <> ''$/, () => 'text that is not blank'],
  [/^(\w+) >= (-?[\d.]+) AND \1 <= (-?[\d.]+)$/, (_, least, most) => `a number from ${least} to ${most}`],
  [/^\w+ >= (-?[\d.]+)$/, (least) => `a number of at least ${least}`],
  [/^(\w+) > (-?[\d.]+) AND \1 <= (-?[\d.]+)$/, (_, least, most) => `a number above ${least}, up to ${most}`],
  [/^(\w+) > (-?[\d.]+) AND \1 <> 'NaN'$/, (_, least) => `a number above ${least}`],
  [/^(\w+_(?:end|on)) >= (\w+)$/, (end, start) => `${end} not before ${start}`],
  [/^num_nonnulls\((.*)\) = 1$/, (columns) => `exactly one of ${columns}`],
  [/^num_nonnulls\((.*)\) <= 1$/, (columns) => `at most one of ${columns}`],
];

/** What a check expects, such as `one of draft, active, closed`; null if it fits no pattern. */
export function wordsOfRule(expression: string): string | null {
  const plain = withoutCasts(expression);
  for (const [pattern, words] of FORMS) {
    const parts = pattern.exec(plain);
    if (parts !== null) return words(...parts.slice(1));
  }
  return null;
}

function withoutCasts(expression: string): string {
  return expression
    .replaceAll(/::(?:bigint|date|double precision|integer|numeric|text)\b/g, '')
    .replaceAll(/\((\w+)\)/g, '$1')
    .replaceAll(/\((\w+ (?:[<>]=?|<>) (?:-?[\d.]+|'NaN'))\)/g, '$1')
    .replace(/^\((.*)\)$/s, '$1');
}
