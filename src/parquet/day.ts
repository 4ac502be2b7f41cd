/** Days as Parquet stores them. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Days from 1970-01-01 to a `YYYY-MM-DD` day; undefined if there is no such day. */
export function epochDays(day: string): number | undefined {
  const [, year, month, date] = (DAY.exec(day) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  if (month < 1 || month > 12 || date < 1 || date > daysIn(year, month)) return undefined;
  // Count years from 1 March, so that the leap day comes last: months then begin at rounded multiples of 30.6 days.
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((marchMonth * 153 + 2) / 5) + date - 1 - 719_468;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
