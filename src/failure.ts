/** A failure as data: what a queue, a record and another process hold of an error, and how each of them reads it. */
import { CrossfootError, isErrorCode, REFUSAL_CODES } from './errors.ts';

export interface Failure {
  /** A code of the catalogue, or `unforeseen`. */
  readonly code: string;
  /** Our own words: a message of a library may contain data of the ledger. */
  readonly message: string;
  readonly hint: string | null;
  /** The facts behind the message, as JSON holds them; none for an error outside the catalogue. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** The facts of a refused figure, each absent if the error does not state it. */
type Finding = Readonly<Partial<Record<TextFact, string>>> & { readonly cents_off?: number };

const TEXT_FACTS = ['check', 'table', 'place', 'figure', 'expected', 'found'] as const;
type TextFact = (typeof TEXT_FACTS)[number];

/** The failure of an error of the catalogue. */
export function failureOf(error: CrossfootError): Failure {
  const { code, message, hint = null } = error;
  return { code, message, hint, data: dataInJson(error) };
}

/** The error of a failure, for the process that waits for it; `build_died` for a code outside the catalogue. */
export function errorOf({ code, message, hint, data = {} }: Failure): CrossfootError {
  const known = isErrorCode(code) ? code : 'build_died';
  return new CrossfootError(known, message, hint === null ? { data } : { hint, data });
}

/** The refused figure of an error; null for an error that refuses no figures. */
export function findingOf({ code, data }: CrossfootError): Finding | null {
  if (!REFUSAL_CODES.some((each) => each === code)) return null;
  const finding: { -readonly [Fact in keyof Finding]: Finding[Fact] } = {};
  for (const name of TEXT_FACTS) {
    const fact = data[name];
    if (typeof fact === 'string') finding[name] = fact;
  }
  const { expected, found, cents_off } = data;
  if (typeof expected === 'number') finding.expected = String(expected);
  if (typeof found === 'number') finding.found = String(found);
  if (typeof cents_off === 'number') finding.cents_off = cents_off;
  return finding;
}

/** The data of an error that JSON can hold: texts, numbers, booleans and lists of texts; a bigint becomes text. */
function dataInJson({ data }: CrossfootError): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, fact]) => {
      if (typeof fact === 'bigint') return [[name, String(fact)]];
      return fact === null || isPlain(fact) || (Array.isArray(fact) && fact.every(isPlain))
        ? [[name, fact]]
        : [];
    }),
  );
}

function isPlain(fact: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof fact);
}
