/** A drawn ledger of costs, as people mean it before any program writes it down. */
import type { Chance } from '../chaos/chance.ts';

export interface Cost {
  readonly ref: string;
  readonly cents: bigint;
  readonly currency: string;
  /** `YYYY-MM-DD`; null for none. */
  readonly start: string | null;
  readonly end: string | null;
  readonly isEstimated: boolean;
  readonly vendor: string;
  readonly description: string | null;
  /** When it was recorded, in microseconds of UTC. */
  readonly created: bigint;
}

const DAY_MS = 86_400_000;
const EPOCH_2024 = Date.UTC(2024, 0, 1);
/** Texts that Windows-1252 has, then texts of all the world. */
const WESTERN = [
  'Müller & Söhne',
  'Zoë’s “Bar”',
  'A, B; C\tD',
  'two\nlines',
  'quote " in',
  '5 €',
  "it's",
  '=1+1',
  'NULL',
  '\\N',
  'ÿþ',
  '–1',
];
const WORLD = [...WESTERN, '株式会社', '🧾 receipt', 'Łódź', 'עברית', 'e\u0301', '\u200B|', 'two\r\nlines'];

const dayOf = (days: number): string => new Date(EPOCH_2024 + days * DAY_MS).toISOString().slice(0, 10);

export function drawCosts(chance: Chance, isWestern: boolean): readonly Cost[] {
  const texts = isWestern ? WESTERN : WORLD;
  return Array.from({ length: 5 + chance.below(20) }, (_, index) => {
    const first = chance.below(900);
    const period = periodOf(chance, first);
    return {
      ref: `${chance.oneOf(['K', 'ä', '00'])}-${index}`,
      cents: BigInt(chance.below(10 ** (1 + chance.below(11)))) * (chance.happens(0.2) ? -1n : 1n),
      currency: chance.oneOf(['USD', 'EUR', 'JPY', 'KWD']),
      ...period,
      isEstimated: chance.happens(0.3),
      vendor: chance.oneOf(texts),
      description: chance.happens(0.3) ? null : `${chance.oneOf(['', ' ', 'x'])}${chance.oneOf(texts)}`,
      created:
        BigInt(EPOCH_2024 + chance.below(900 * DAY_MS)) * 1_000n +
        BigInt(chance.happens(0.5) ? chance.below(1_000) : 0),
    };
  });
}

/** No period, a month, or some days. */
function periodOf(chance: Chance, first: number): Pick<Cost, 'start' | 'end'> {
  if (chance.happens(0.2)) return { start: null, end: null };
  if (chance.happens(0.4))
    return { start: dayOf(first), end: chance.happens(0.5) ? dayOf(first + chance.below(40)) : null };
  const [year = 0, month = 0] = dayOf(first).split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  return { start: `${last.slice(0, 7)}-01`, end: last };
}
