/** The data of an error in a form for another process, a queue or a record. */
import type { CrossfootError } from './errors.ts';

/** The data of an error that JSON can hold: texts, numbers, booleans and lists of texts; a bigint becomes text. */
export function dataInJson({ data }: CrossfootError): Readonly<Record<string, unknown>> {
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
