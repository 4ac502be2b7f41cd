/** Days and months as spreadsheets write them: a load refuses them, and says how to write them. */
import { type Day, addDays } from '../../figures/calendar.ts';
import { dayOfMonth } from './months.ts';

const YEAR_FIRST = /^(\d{4})([-./]?)(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})$/;
const DAY_OF_NAMED_MONTH = /^(\d{1,2})\.?[ -]+(\p{L}+)\.?,?[ -]+(\d{4})$/u;
const NAMED_MONTH_AND_DAY = /^(\p{L}+)\.? +(\d{1,2}),? +(\d{4})$/u;
const NAMED_MONTH = /^(\p{L}+)\.?[ -]+(\d{4})$/u;
const MONTH_FIRST = /^(\d{1,2})[-./](\d{4})$/;
const YEAR_AND_MONTH = /^(\d{4})[-./](\d{1,2})$/;
/** A time without an offset: with one, the day may be another. */
const TIME = /[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AP]M)?$/i;

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'];
const NAMES = LANGUAGES.flatMap((language) => {
  const names = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => ({
    month: month + 1,
    name: names.format(Date.UTC(2026, month, 1)).toLowerCase(),
  }));
});

/** How the column would take what the text says, such as `2026-03-31`: both days if it can mean two, none if it means no day. */
export function daysMeant(column: string, text: string): readonly string[] {
  const bare = text.trim().replace(TIME, '');
  const days = dayForms(bare).flatMap(([year, month, day]) => realDay(year, month, day) ?? []);
  if (days.length > 0) return [...new Set(days)].toSorted();
  const month = monthOf(bare);
  return month !== null && dayOfMonth(column, month) !== month ? [month] : [];
}

type Parts = readonly [year: string | undefined, month: number | string | undefined, day: string | undefined];

function dayForms(text: string): readonly Parts[] {
  const [first, year, sign, month, day] = YEAR_FIRST.exec(text) ?? [];
  // Without signs, only eight digits are a day: 2026113 could be two.
  if (first !== undefined) return sign === '' && first.length < 8 ? [] : [[year, month, day]];
  const [last, one, between, two, itsYear] = YEAR_LAST.exec(text) ?? [];
  if (last !== undefined) {
    const both: readonly Parts[] = [
      [itsYear, two, one],
      [itsYear, one, two],
    ];
    // Points stand in days that begin with the day of the month.
    return between === '.' ? both.slice(0, 1) : both;
  }
  const [, before, name, nameYear] = DAY_OF_NAMED_MONTH.exec(text) ?? [];
  if (name !== undefined) return [[nameYear, monthNamed(name) ?? 0, before]];
  const [, otherName, after, otherYear] = NAMED_MONTH_AND_DAY.exec(text) ?? [];
  return otherName === undefined ? [] : [[otherYear, monthNamed(otherName) ?? 0, after]];
}

function monthOf(text: string): string | null {
  const [, name, year] = NAMED_MONTH.exec(text) ?? [];
  if (name !== undefined) return realMonth(year, monthNamed(name) ?? 0);
  const [, first, itsYear] = MONTH_FIRST.exec(text) ?? [];
  if (first !== undefined) return realMonth(itsYear, first);
  const [, otherYear, second] = YEAR_AND_MONTH.exec(text) ?? [];
  return realMonth(otherYear, second);
}

/** The number of the only month that begins with these letters, in one of the languages. */
function monthNamed(word: string): number | null {
  const letters = word.toLowerCase();
  if (letters === 'mrz') return 3; // Excel shortens the German März so.
  const months = new Set(NAMES.filter(({ name }) => name.startsWith(letters)).map(({ month }) => month));
  const [month = null] = months;
  return letters.length >= 3 && months.size === 1 ? month : null;
}

function realMonth(year: string | undefined, month: number | string | undefined): string | null {
  return realDay(year, month, '1')?.slice(0, -3) ?? null;
}

function realDay(year = '', month: number | string = '', day = ''): Day | null {
  const text = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDay && addDays(text, 0) === text ? text : null;
}
