/** Sums of bills for AI, and the names of who billed, worked by hand. */
import { describe, expect, it } from 'vitest';
import {
  type AiPayee,
  type AiSpendMonth,
  groupByBiller,
  type KnownConnection,
  nameBillers,
  sumAiBills,
  sumCards,
} from '../../src/figures/ai-spend.ts';

const month = (
  source_kind: AiSpendMonth['source_kind'],
  ...cents: readonly (bigint | null)[]
): AiSpendMonth => {
  const [billed_cents, booked_cents = null, ai_billed_cents = null, ai_booked_cents = null] = cents;
  return { source_kind, billed_cents: billed_cents ?? 0n, booked_cents, ai_billed_cents, ai_booked_cents };
};
const MONTHS = [
  month('provider_bill', 1_000n, null, 700n, 300n),
  month('ai_vendor', 50n, 40n, 20n, null),
  month('ai_vendor', 8n),
  month('card', 9_000n, 500n, 4_000n, 3_000n),
  month('card', 60n),
];

it('bills add up without card charges: billed, the part for AI, and the booked share and the rest', () => {
  expect(sumAiBills(MONTHS)).toEqual({
    billed_cents: 1_058n,
    ai_billed_cents: 720n,
    carried_cents: 300n,
    not_carried_cents: 420n,
  });
  expect(sumAiBills([])).toEqual({
    billed_cents: 0n,
    ai_billed_cents: 0n,
    carried_cents: 0n,
    not_carried_cents: 0n,
  });
});

it('card charges add up apart from the bills', () => {
  expect(sumCards(MONTHS)).toEqual({ billed_cents: 9_060n, booked_cents: 500n });
});

const UNNAMED: AiPayee = {
  source_kind: 'provider_bill',
  connection_id: null,
  platform: null,
  connection_name: null,
  vendor_name: null,
};
const vendor = (vendor_name: string | null): AiPayee => ({
  ...UNNAMED,
  source_kind: 'ai_vendor',
  vendor_name,
});
const bill = (connection_id: bigint, platform: string | null, connection_name: string | null): AiPayee => ({
  ...UNNAMED,
  connection_id,
  platform,
  connection_name,
});
const known = (connection: Partial<KnownConnection>): KnownConnection => ({
  platform_name: null,
  external_account_id: null,
  external_account_name: null,
  ...connection,
});
const named = (rows: readonly AiPayee[], connections: readonly (readonly [bigint, KnownConnection])[] = []) =>
  nameBillers(rows, new Map(connections)).map(({ biller }) => biller);

describe('who billed', () => {
  it.each<[string, AiPayee, KnownConnection | null, string | null]>([
    ['a vendor by its name', vendor('Acme'), null, 'Acme'],
    ['no vendor without a name', vendor(null), null, null],
    ['no name for cards', { ...bill(1n, 'ramp', 'Cards'), source_kind: 'card' }, null, null],
    [
      'a connection by the name of its platform',
      bill(1n, 'open_ai', 'Ours'),
      known({ platform_name: 'OpenAI' }),
      'OpenAI',
    ],
    [
      'a platform without a known name by its key in words',
      bill(1n, 'open_ai_batch', 'Ours'),
      known({}),
      'Open ai batch',
    ],
    [
      'a connection that is not known by its platform, too',
      bill(2n, 'bedrock', 'Ours'),
      known({ platform_name: 'x' }),
      'Bedrock',
    ],
    ['a connection without a platform by its own name', bill(1n, null, 'Ours'), null, 'Ours'],
    ['no name without any fact', UNNAMED, null, null],
    [
      'a bill in the format of FOCUS by its provider',
      bill(1n, 'focus', 'anthropic Claims'),
      known({ external_account_name: 'Claims' }),
      'anthropic',
    ],
    [
      'the same by the id of the account',
      bill(1n, 'focus', 'anthropic acc-7'),
      known({ external_account_id: 'acc-7' }),
      'anthropic',
    ],
    [
      'the name of the account before its id',
      bill(1n, 'focus', 'anthropic Claims'),
      known({ external_account_name: 'Claims', external_account_id: 'anthropic' }),
      'anthropic',
    ],
    [
      'a name that does not end with the account as it is',
      bill(1n, 'focus', 'anthropic Claims'),
      known({ external_account_name: 'Claim' }),
      'anthropic Claims',
    ],
    [
      'a provider whose account is not known',
      bill(2n, 'focus', 'anthropic Claims'),
      null,
      'anthropic Claims',
    ],
    [
      'a bill of FOCUS without a name by its platform',
      bill(1n, 'focus', null),
      known({ platform_name: 'Cloud bills' }),
      'Cloud bills',
    ],
  ])('is %s', (_, row, connection, biller) => {
    expect(named([row], connection === null ? [] : [[1n, connection]])).toEqual([biller]);
  });

  it('is one biller for names that differ in case or blanks, spelled as the vendor, then as the first by its characters', () => {
    const rows = [
      bill(1n, null, 'openai'),
      vendor(' OpenAI '),
      vendor('OPENAI'),
      bill(2n, null, 'acme'),
      bill(3n, null, 'Acme'),
    ];
    expect(named(rows)).toEqual(['OPENAI', 'OPENAI', 'OPENAI', 'Acme', 'Acme']);
    expect(named(rows.toReversed())).toEqual(['Acme', 'Acme', 'OPENAI', 'OPENAI', 'OPENAI']);
  });

  it('groups the rows of bills, in the order of their first rows and without cards', () => {
    const rows = [
      vendor('B'),
      { ...UNNAMED, source_kind: 'card' as const },
      vendor(null),
      vendor('A'),
      vendor('b'),
    ];
    const groups = groupByBiller(nameBillers(rows, new Map()));
    expect(
      groups.map(({ biller, rows: own }) => [biller, own.map(({ vendor_name }) => vendor_name)]),
    ).toEqual([
      ['B', ['B', 'b']],
      [null, [null]],
      ['A', ['A']],
    ]);
  });
});
