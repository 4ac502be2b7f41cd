/** What to write instead of a refused cell: the end of its fault. A load never guesses, but it says what it would take. */
import type { DecimalSign } from '../staging/mode.ts';

const TOTALS =
  /^(?:grand |sub)?totals?:?$|^(?:gesamt|zwischen|end)?summen?:?$|^(?:gesamt|insgesamt|totaal|totale|sum):?$/i;
const YES_OR_NO = new Map([
  ...['yes', 'y', 'ja', 'wahr', 'oui', 'si', 'sí', '1'].map((word) => [word, 'true'] as const),
  ...['no', 'n', 'nein', 'falsch', 'non', '0'].map((word) => [word, 'false'] as const),
]);

// A cell of a million letters is no form of anything.
const LONGEST = 60;

/**
 * For a cell that is no value of its column: what to write instead, as the end of the fault; empty if nothing is clear. `days` are
 * the days it may mean that the column takes.
 */
export function cellInstead(
  { name, base }: { readonly name: string; readonly base: string },
  cell: string,
  days: readonly string[] = [],
): string {
  if (cell.length > LONGEST) return '';
  if (TOTALS.test(cell.trim())) return '; delete a line of totals';
  if (base === 'date') return written(days);
  if (base === 'boolean') return written([YES_OR_NO.get(cell.trim().toLowerCase()) ?? []].flat());
  if (name.endsWith('_cents') && /\d[.,]\d/.test(cell)) {
    return `; name the column ${name.slice(0, -'_cents'.length)} to give it with decimals`;
  }
  return '';
}

/** For a text that is no number: what to write instead; `plain` returns the number as it is written plainly, or null. */
export function numberInstead(
  text: string,
  sign: DecimalSign | null,
  plain: (bare: string) => string | null,
): string {
  if (text.length > LONGEST) return '';
  if (TOTALS.test(text.trim())) return '; delete a line of totals';
  const bare = bareNumber(text);
  if (bare === null || bare === text) return '';
  const number = plain(bare);
  if (number !== null) return written([sign === 'comma' ? number.replace('.', ',') : number]);
  return /^-?\d+[.,]\d{3}$/.test(bare) ? `; write ${bare}, and say --decimal point or --decimal comma` : '';
}

/** The number without a currency, brackets for less than nothing, a minus at its end, and blanks between its groups. */
function bareNumber(text: string): string | null {
  let bare = text.trim().replaceAll(/[\u2212\u2013]/g, '-');
  const isNegative = /^\(.*\)$/.test(bare);
  if (isNegative) bare = bare.slice(1, -1);
  const minus = bare.startsWith('-');
  bare = bare
    .replace(/^[-+]/, '')
    .replace(/^\s*(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3})\s*/u, '')
    .replace(/\s*(?:\p{Sc}|[A-Z]{3})\s*(-?)$/u, '$1');
  const ends = bare.endsWith('-') || (!minus && bare.startsWith('-'));
  bare = bare.replace(/^-|-$/g, '').trim();
  if (/^\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?$/.test(bare)) bare = bare.replaceAll(/[\s'’]/g, '');
  if (!/^\d[\d.,]*$/.test(bare) || [isNegative, minus, ends].filter(Boolean).length > 1) return null;
  return isNegative || minus || ends ? `-${bare}` : bare;
}

function written(forms: readonly string[]): string {
  return forms.length === 0 ? '' : `; write ${forms.join(' or ')}`;
}
