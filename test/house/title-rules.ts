/** The rule about titles of tests: each can be understood alone, in a list of failures. */
import type { Source } from './source.ts';

/** No thing begins with one of these. */
const NO_THING = 'is|are|has|have|had|was|were|of|with|without|cannot|can|must|may|might|will|would|never';

/** Verbs that titles begin with; verbs that are also the plural of a noun, such as answers, are not among them. */
const VERBS =
  'accepts|agrees|asks|audits|begins|calls|carries|clears|closes|compares|computes|converts|counts|cuts|decides|' +
  'decodes|deletes|describes|divides|does|draws|ends|exits|fails|finds|finishes|gives|goes|hides|holds|ignores|' +
  'judges|keeps|knows|leaves|lets|lists|looks|makes|measures|moves|names|needs|offers|opens|parses|passes|proves|' +
  'publishes|puts|reads|refuses|rejects|removes|replaces|returns|runs|says|sends|serves|shows|sorts|stages|starts|' +
  'states|stays|stops|switches|takes|tells|throws|tries|waits|writes';

const WITHOUT_SUBJECT = new RegExp(`^(?:${NO_THING}|${VERBS})\\b`);

/** Such a `describe` names no thing: a clause, a place, or a hole alone. */
const WITHOUT_THING = new RegExp(
  `^(?:(?:${NO_THING}|what|which|how|where|when|while|after|before|once|as|on|in|it|both)\\b|(?:%\\w|\\$\\w+)$)`,
);

/** In words. */
const MAX_LENGTH = 25;

/** The number of an attack, fault or case before a title. */
const NUMBER = /^[A-Z]-\d+(?:, [A-Z]-\d+)*: /;

const SUITE = /^describe(?:InSweeps)?$/;
const TEST = /^(?:it|test)(?:InSweeps)?$/;

/** From a call to its title: `.each(…)` and its like have parentheses of their own. */
const MODIFIER = /^(?:each|for|concurrent|sequential)$/;

/** The titles of tests that are too long, or that name no thing and whose `describe` names none, as `path: title`. */
export function refuseTitles(files: readonly Source[]): string[] {
  return files.filter(({ path }) => path.endsWith('.test.ts')).flatMap(refusedTitles);
}

function refusedTitles({ path, code, texts }: Source): string[] {
  const tokens = code.split(' ');
  const refused: string[] = [];
  /** The suites around a token, by the token at which each ends. */
  const suites: { readonly title: string; readonly end: number }[] = [];
  for (const [index, token] of tokens.entries()) {
    while ((suites.at(-1)?.end ?? index) < index) suites.pop();
    const isSuite = SUITE.test(token);
    if (tokens[index - 1] === '.' || (!isSuite && !TEST.test(token))) continue;
    const at = titleOf(tokens, index + 1);
    const text = /^"(\d+)"$/.exec(tokens[at] ?? '')?.[1];
    if (text === undefined) continue;
    const title = (texts[Number(text)] ?? '').replace(NUMBER, '');
    if (isSuite) suites.push({ title, end: endOf(tokens, at - 1) });
    else if (title.split(' ').length > MAX_LENGTH) refused.push(`${path}: ${title}`);
    else if (WITHOUT_SUBJECT.test(title) && suites.every((suite) => WITHOUT_THING.test(suite.title)))
      refused.push(`${path}: ${title}`);
  }
  return refused;
}

/** The index of the title behind the name of a call; -1 if the name is not called. */
function titleOf(tokens: readonly string[], from: number): number {
  let at = from;
  while (tokens[at] === '.' && MODIFIER.test(tokens[at + 1] ?? '')) {
    const isEach = ['each', 'for'].includes(tokens[at + 1] ?? '');
    at += 2;
    if (isEach && tokens[at] === '<') at = endOf(tokens, at) + 1;
    if (isEach) at = endOf(tokens, at) + 1;
  }
  return tokens[at] === '(' ? at + 1 : -1;
}

/** The index of the token that closes the one at an index, ( or <; the end of the file where none does. */
function endOf(tokens: readonly string[], open: number): number {
  const [opening, closing] = tokens[open] === '<' ? ['<', '>'] : ['(', ')'];
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (tokens[at] === opening) depth += 1;
    if (tokens[at] === closing) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}
