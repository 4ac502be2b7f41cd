/** The rows of the sums by initiative and month, as a build reads them: whole rows, worked by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableSelect } from '../../../src/ledger/moment/table-select.ts';
import {
  AMOUNTS,
  AS_OF,
  COSTS,
  LEFT_OUT_COSTS,
  LEFT_OUT_VALUES,
  MONTH_SUMS,
  PROVISIONAL_COSTS,
  UNSETTLED,
  VALUES,
} from '../../schema/worked-sums.ts';
import { instantOf } from '../../support/instant-of.ts';
import { addCost, addInitiative, addValue, foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { openLedger, type ViewLedger } from '../../views/ledger-harness.ts';

/** The last microsecond of the day counts as the day. */
const GENERATED_AT = instantOf(`${AS_OF}T23:59:59.999999Z`);

type Cells = Readonly<Record<string, unknown>>;
const rowsOf = ({ home, read }: ViewLedger, table: string): Promise<readonly Cells[]> =>
  read(tableSelect(table, { account_id: home.account, generated_at: GENERATED_AT }));
const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
const undated = { period_start: null, period_end: null };
const atRate = (usd_rate: string | null) =>
  usd_rate === null ? {} : { usd_rate, usd_rate_from: '2026-07-01', usd_rate_through: '2026-07-01' };

describe('the selects of the sums', () => {
  /** One ledger with the entries of sums, another with the entries without a dollar figure. */
  let settled: ViewLedger;
  let unsettled: ViewLedger;
  let second: ReadonlyMap<ViewLedger, bigint>;
  beforeAll(async () => {
    [settled, unsettled] = await Promise.all([openLedger(), openLedger()]);
    const seconds = new Map<ViewLedger, bigint>();
    for (const ledger of [settled, unsettled]) {
      const { owner, home, write } = ledger;
      const [other, sample] = await write(async () => [
        await addInitiative(owner, home.account),
        await addInitiative(owner, home.account, { is_sample: true }),
      ]);
      if (other === undefined || sample === undefined) throw new Error('no initiative');
      seconds.set(ledger, other);
      const of = (initiative: number) => ({
        ...home,
        initiative: initiative === 1 ? home.initiative : other,
      });
      const on = (day: string | null) => (day === null ? undated : { period_start: day, period_end: null });
      await write(async () => {
        if (ledger === settled) {
          for (const [initiative, day, cost_category, amount_cents] of COSTS)
            await addCost(owner, of(initiative), { cost_category, amount_cents, ...on(day) });
          for (const [initiative, day, entry_type, amount_cents, currency, rate, effect] of VALUES) {
            const effects =
              effect === null
                ? {}
                : { vendor_price_effect_cents: effect, own_changes_effect_cents: amount_cents - effect };
            await addValue(owner, of(initiative), {
              entry_type,
              amount_cents,
              currency,
              ...on(day),
              ...atRate(rate),
              ...effects,
            });
          }
        } else {
          for (const [initiative, day, entry_type, amount_cents, currency] of LEFT_OUT_VALUES)
            await addValue(owner, of(initiative), { entry_type, amount_cents, currency, ...on(day) });
          for (const [initiative, day, amount_cents, currency] of LEFT_OUT_COSTS)
            await addCost(owner, of(initiative), { amount_cents, currency, ...on(day) });
          for (const [initiative, day, amount_cents, currency] of PROVISIONAL_COSTS)
            await addCost(owner, of(initiative), {
              amount_cents,
              currency,
              usd_rate_provisional: true,
              ...on(day),
              ...atRate('2'),
            });
        }
        // These do not count: a draft, entries of a sample, and amounts of another account.
        const early = on('2026-07-15');
        await addValue(owner, home, {
          status: 'draft',
          currency: ledger === settled ? 'USD' : 'SEK',
          ...early,
        });
        await addCost(
          owner,
          { ...home, initiative: sample },
          { currency: ledger === settled ? 'USD' : 'SEK', ...early },
        );
      });
      const neighbour = await foundAccount(owner);
      await inAccount(owner, neighbour.account, () => addCost(owner, neighbour, { currency: 'SEK' }));
    }
    second = seconds;
  });
  afterAll(() => Promise.all([settled, unsettled].map(({ database }) => database.drop())));

  /** The number of the initiative of a row: 1, 2, or null for the portfolio. */
  const numberOf = (ledger: ViewLedger, id: unknown): unknown =>
    id === ledger.home.initiative ? 1 : id === second.get(ledger) ? 2 : id;

  it('give each segment of a month, of each initiative and of the portfolio', async () => {
    const rows = await rowsOf(settled, 'month_sums');
    expect(
      rows.map((row) => [
        numberOf(settled, row['initiative_id']),
        ...['month', 'from_day', 'through_day', 'frees', 'latest_day'].map((name) => row[name]),
        AMOUNTS.map((name) => plain(row[name])),
      ]),
    ).toEqual(
      // The file has empty cells for 0.
      MONTH_SUMS.map((row) => [...row.slice(0, 6), row[6].map((cents) => (cents === 0 ? null : cents))]),
    );
  });

  it('give each amount without a dollar figure, and each provisional one', async () => {
    const columns = ['month', 'from_day', 'through_day', 'kind', 'currency', 'amount_cents', 'entries'];
    const rows = await rowsOf(unsettled, 'month_sums_unsettled');
    expect(
      rows.map((row) => [
        numberOf(unsettled, row['initiative_id']),
        ...columns.map((name) => plain(row[name])),
      ]),
    ).toEqual(UNSETTLED);
    expect(await rowsOf(settled, 'month_sums_unsettled')).toEqual([]);
  });
});
