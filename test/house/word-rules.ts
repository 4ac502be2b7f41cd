/** The rules about words: names that are refused, and the sentences that usually need a second reading. */
import type { Source } from './source.ts';

/** Names that the field has a better word for, or that do not explain themselves, each with the word to use. */
const REFUSED: readonly (readonly [name: RegExp, better: string])[] = [
  [/^demand[A-Z]/, 'require…'],
  [/^MOST_/, 'MAX_…'],
  [/^persist/i, 'retry, or store'],
  [/^telling/i, 'webhook'],
  [/yard$/i, 'harness'],
  [/slot/i, 'night'],
  [/^truths?$/i, 'boolean'],
  [/^whole$/i, 'what it is the whole of'],
  [/surroundings$/i, 'context, or tools'],
  [/^(?:\w+P|p)ace(?:At|Of)?$|^P(?:ace|ACE)$/, 'clock'],
  [/workshop$/i, 'local worker'],
  [/^(?:near|repeats)$/, 'encoding, nearest, or retries'],
  [/^nobody/i, 'whom it means'],
  [
    /^(?:(?:MAX|MIN)_(?:ALL|BYTES|CHARACTERS|DAMAGED|FREE|KEPT|LISTED|MICROSECONDS|MS|NAMED|REPORTED|SHOWN|TIMES|WRONG)|LIMIT_MS)$/,
    'what it is the limit of',
  ],
  [/^(?:MICROSECONDS|MILLISECONDS|MS)_PER_|^DAY_MICROSECONDS$/, 'a unit of src/instant.ts'],
];

/** Names that keep such a word, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  slot: "a place in a concurrency limit, and the field of older publish logs for a night's name",
  slots: 'the places in a concurrency limit',
  Slots: 'the places in a concurrency limit',
  FigureSlots: 'the places in a concurrency limit',
  figureSlots: 'the places in a concurrency limit',
  createFigureSlots: 'the places in a concurrency limit',
  MICROSECONDS_PER_DAY: 'the calendar and the prover import no other room',
  MS_PER_DAY: 'the prover imports no other room',
  replace: 'the method of a text',
  namespace: 'of Kubernetes and PostgreSQL',
  Persistent: 'a setting of systemd',
};

/** `place` for an index: a second parameter of a callback, a key of entries, a number that is counted, compared or looked up by. */
const PLACE_AS_INDEX =
  /\. (?:at|with) \( place [,)]|\bplace < \d|\( (?:\w+|\{[^{}]*\}|\[[^[\]]*\]) , place \) =>|\[ place , [^\]]*\] of [^)]*\. entries \(|\blet place =|\bplace (?:\+ \d|\+=)|\bplace : number\b/;

/** Words that usually mark a sentence without its noun. */
const MARKS =
  /\b(?:whoever|nobody|whatever|of it|that it is|one that|what of|stands? for|is told|the same as|so that none|which of|none of|as it stands)\b/i;

/** A name is the field's word. */
export function refuseWords(files: readonly Source[]): string[] {
  return files.flatMap(({ path, code }) => {
    const names = new Set(code.match(/\b[A-Za-z_][A-Za-z0-9_]*\b/g));
    const refused = [...names].flatMap((name) => {
      const rule = REFUSED.find(([pattern]) => pattern.test(name));
      return rule === undefined || Object.hasOwn(ALLOWED, name) ? [] : [`${path}: ${name}: say ${rule[1]}`];
    });
    return PLACE_AS_INDEX.test(code) ? [...refused, `${path}: place: say index`] : refused;
  });
}

/** The lines of a text with such a word, as `path:line: text`. */
export function markedLines(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (MARKS.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []));
}

/** The room of a file: `src/store`, `schema/audit`, `jobs`; `src` for a file directly in it. */
function roomOf(path: string): string {
  const [top = '', room = ''] = path.split('/');
  return path.split('/').length > 2 ? `${top}/${room}` : top;
}

/** Faults by the room of the file that each begins with. */
export function byRoom(faults: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(Map.groupBy(faults, (fault) => roomOf(fault.slice(0, fault.indexOf(':')))));
}

/** What a room may have of them, and what it has: too many are refused line by line, too few ask for a lower number. */
export function refuseMarks(
  allowed: Readonly<Record<string, number>>,
  marked: Readonly<Record<string, readonly string[]>>,
): string[] {
  const rooms = [...new Set([...Object.keys(allowed), ...Object.keys(marked)])].toSorted();
  return rooms.flatMap((room) => {
    const lines = marked[room] ?? [];
    const most = allowed[room] ?? 0;
    if (lines.length === most) return [];
    if (lines.length < most) return [`lower ${room} from ${most} to ${lines.length} in plain-words.json`];
    return [`${room}: ${lines.length} lines, at most ${most}; name the thing in one of these`, ...lines];
  });
}
