/** Parses moments of clients: RFC 3339 with any offset, to the microsecond. */
import { type Instant, MINUTE } from '../../instant.ts';
import { parseInstant } from '../../time.ts';

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;
/** The moment; null for malformed text, or for more than six decimals. */
export function readMoment(text: string): Instant | null {
  const [, day, time, fraction = '', sign, hours = '0', minutes = '0'] = MOMENT.exec(text) ?? [];
  if (day === undefined) return null;
  const local = parseInstant(`${day}T${time}.${fraction.padEnd(6, '0')}Z`);
  if (local === null) return null;
  const offset = BigInt(Number(hours) * 60 + Number(minutes)) * MINUTE;
  return sign === '-' ? local + offset : local - offset;
}
