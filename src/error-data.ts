/** The facts behind an error, on their way to another process, a queue or a record. */
import type { CrossfootError } from './errors.ts';

/** The facts behind an error as JSON can carry them: texts, numbers, truths and lists of texts; ids become texts. */
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
