/**
 * Turns bills into rows of the ledger. In an open month, the rows of the new bill replace the earlier ones. In a locked month,
 * rows stay, and the difference is booked in a later open month.
 */
import { addMonths, lastOfMonth } from '../../figures/calendar.ts';
import { type Bill, billRef, connectionRef } from './charge.ts';
import { type FocusLedger, linkKey } from './ledger-state.ts';

/** A share has eight decimals. */
const SHARE_UNITS = 10n ** 8n;

/** The amount of one bill that belongs to one initiative and cost type, in cents. */
interface Claimed {
  readonly bill: Bill<bigint>;
  readonly initiative: bigint;
  readonly cost_type: string | null;
  amount: bigint;
  ai: bigint;
}

export interface PlannedEntry extends Claimed {
  readonly ref: string;
  /** The month that the entry is booked in, as `YYYY-MM`. */
  readonly month: string;
}

export interface FocusPlan {
  readonly bills: readonly Bill<bigint>[];
  readonly entries: readonly PlannedEntry[];
  /** The ids of the entries to delete. */
  readonly replaced: readonly bigint[];
  readonly shares: readonly PlannedShare[];
}

export interface PlannedShare {
  readonly ref: string;
  readonly bill: Bill<bigint>;
  readonly initiative: bigint;
  readonly share: string;
}

/** Plans the rows of the bills, and zero rows for earlier bills of the same billing accounts and months that are gone. */
export function planRows(billed: readonly Bill<bigint>[], ledger: FocusLedger): FocusPlan {
  const bills = [...billed, ...emptied(billed, ledger)];
  const refs = new Set(bills.map(billRef));
  const booked = ledger.entries.filter(({ bill_ref }) => refs.has(bill_ref));
  const claims = new Map<string, Claimed>();
  for (const bill of bills) {
    for (const part of bill.parts.values()) {
      const initiative = initiativeOf(part.claim, ledger);
      if (initiative !== null)
        addTo(claims, {
          bill,
          initiative,
          cost_type: part.claim?.cost_type ?? null,
          amount: part.ai + part.other,
          ai: part.ai,
        });
    }
  }
  const byRef = new Map(bills.map((bill) => [billRef(bill), bill]));
  // Claim zero for each earlier entry that no charge claims now: if its month is locked, an entry must correct it to zero.
  for (const { bill_ref, initiative_id, cost_type } of booked) {
    const bill = byRef.get(bill_ref);
    if (bill !== undefined) addTo(claims, { bill, initiative: initiative_id, cost_type, amount: 0n, ai: 0n });
  }
  const entries = [...claims].flatMap(
    ([base, claimed]) => entryOf(base, claimed, booked, ledger.locked) ?? [],
  );
  const kept = new Set(entries.map(({ ref }) => ref));
  const open = booked.filter((entry) => !ledger.locked.has(entry.booked));
  return {
    bills,
    entries,
    replaced: open.filter(({ ref }) => !kept.has(ref)).map(({ id }) => id),
    shares: sharesOf(claims.values()),
  };
}

/** The initiative of a claim; null unless exactly one initiative has the title. */
export function initiativeOf(
  claim: { readonly title: string } | null,
  { initiatives }: FocusLedger,
): bigint | null {
  const [initiative, ...others] = initiatives.get(claim?.title ?? '') ?? [];
  return initiative === undefined || others.length > 0 ? null : initiative;
}

function emptied(billed: readonly Bill<bigint>[], { bills }: FocusLedger): readonly Bill<bigint>[] {
  const refs = new Set(billed.map(billRef));
  const months = new Map(
    billed.map((bill) => [JSON.stringify([bill.provider, bill.billingAccount, bill.month]), bill]),
  );
  return [...bills.keys()].flatMap((ref) => {
    const [provider, billingAccount, month, currency] = JSON.parse(ref) as readonly string[];
    const bill = months.get(JSON.stringify([provider, billingAccount, month]));
    if (refs.has(ref) || bill === undefined || currency === undefined) return [];
    return [{ ...bill, currency, total: 0n, parts: new Map() }];
  });
}

function addTo(claims: Map<string, Claimed>, claimed: Claimed): void {
  const base = JSON.stringify([billRef(claimed.bill), String(claimed.initiative), claimed.cost_type]);
  const found = claims.get(base);
  if (found === undefined) claims.set(base, { ...claimed });
  else {
    found.amount += claimed.amount;
    found.ai += claimed.ai;
  }
}

/**
 * The entry of one claim: the claimed amount less the amounts that locked months have for the claim; null if nothing is left.
 * The entry is booked in the month of the bill, or in the first open month after that.
 */
function entryOf(
  base: string,
  claimed: Claimed,
  booked: FocusLedger['entries'],
  locked: ReadonlySet<string>,
): PlannedEntry | null {
  const held = booked.filter((entry) => locked.has(entry.booked) && baseOf(entry) === base);
  const amount = held.reduce((left, entry) => left - entry.amount_cents, claimed.amount);
  const ai = held.reduce((left, entry) => left - entry.ai_amount_cents, claimed.ai);
  if (amount === 0n && ai === 0n) return null;
  const { month } = claimed.bill;
  const target = firstOpen(month, locked);
  return { ...claimed, amount, ai, month: target, ref: target === month ? base : `${base} in ${target}` };
}

function baseOf({ bill_ref, initiative_id, cost_type }: FocusLedger['entries'][number]): string {
  return JSON.stringify([bill_ref, String(initiative_id), cost_type]);
}

function firstOpen(month: string, locked: ReadonlySet<string>): string {
  return locked.has(month) ? firstOpen(addMonths(`${month}-01`, 1).slice(0, 7), locked) : month;
}

/**
 * The share of each initiative in each bill, rounded down so that the shares never add up to more than the bill. Beside a
 * credit that no initiative claims, the claims are more than the bill: then each has its share of the claims.
 */
function sharesOf(claims: Iterable<Claimed>): readonly PlannedShare[] {
  const sums = new Map<
    string,
    { readonly bill: Bill<bigint>; readonly initiative: bigint; amount: bigint }
  >();
  for (const { bill, initiative, amount } of claims) {
    const ref = JSON.stringify([billRef(bill), String(initiative)]);
    const sum = sums.get(ref) ?? { bill, initiative, amount: 0n };
    sums.set(ref, { ...sum, amount: sum.amount + amount });
  }
  const claimed = new Map<Bill<bigint>, bigint>();
  for (const { bill, amount } of sums.values()) {
    if (amount > 0n) claimed.set(bill, (claimed.get(bill) ?? 0n) + amount);
  }
  return [...sums].flatMap(([ref, { bill, initiative, amount }]) => {
    if (amount <= 0n) return [];
    const ofAll = claimed.get(bill) ?? amount;
    const units = (amount * SHARE_UNITS) / (bill.total > ofAll ? bill.total : ofAll);
    const share = `${units / SHARE_UNITS}.${String(units % SHARE_UNITS).padStart(8, '0')}`;
    return units === 0n ? [] : [{ ref, bill, initiative, share }];
  });
}

type Cells = readonly (string | null)[];

/** The rows of the ledger's tables, each with its header first. */
export function rowsOfPlan(
  { bills, entries, shares }: FocusPlan,
  links: readonly (readonly [id: bigint, connection: string, initiative: bigint])[],
  ledger: FocusLedger,
): ReadonlyMap<string, readonly Cells[]> {
  const byConnection = new Map(bills.map((bill) => [connectionRef(bill), bill]));
  const ids = new Map([
    ...ledger.links,
    ...links.map(([id, connection, of]) => [linkKey(connection, of), id] as const),
  ]);
  const tables = new Map<string, readonly Cells[]>([
    [
      'connections',
      [
        [
          'source_ref',
          'platform_key',
          'name',
          'status',
          'auth_type',
          'external_account_id',
          'external_account_name',
        ],
        ...[...byConnection].map(([ref, { provider, billingAccount, billingAccountName }]) => [
          ref,
          'focus',
          `${provider} ${billingAccountName ?? billingAccount}`,
          'active',
          'file_upload',
          billingAccount,
          billingAccountName,
        ]),
      ],
    ],
    [
      'provider_bills',
      [
        ['source_ref', 'connection_ref', 'month', 'amount_cents', 'currency', 'ai_amount_cents'],
        ...bills.map((bill) => [
          billRef(bill),
          connectionRef(bill),
          `${bill.month}-01`,
          String(bill.total),
          bill.currency,
          String([...bill.parts.values()].reduce((sum, { ai }) => sum + ai, 0n)),
        ]),
      ],
    ],
    [
      'ai_spend_links',
      [
        ['id', 'initiative_id', 'connection_ref'],
        ...links.map(([id, connection, initiative]) => [String(id), String(initiative), connection]),
      ],
    ],
    [
      'bill_shares',
      [
        ['source_ref', 'link_id', 'provider_bill_ref', 'share'],
        ...shares.map(({ ref, bill, initiative, share }) => [
          ref,
          String(ids.get(linkKey(connectionRef(bill), initiative))),
          billRef(bill),
          share,
        ]),
      ],
    ],
    ['cost_entries', [ENTRY_COLUMNS, ...entries.map(entryCells)]],
  ]);
  return new Map([...tables].filter(([, rows]) => rows.length > 1));
}

const ENTRY_COLUMNS: Cells = [
  'source_ref',
  'initiative_id',
  'amount_cents',
  'ai_amount_cents',
  'currency',
  'cost_type',
  'period_start',
  'period_end',
  'vendor_name',
  'description',
  'source_type',
  'connection_ref',
  'provider_bill_ref',
];

function entryCells({ ref, bill, initiative, amount, ai, cost_type, month }: PlannedEntry): Cells {
  const correction = month === bill.month ? '' : 'Correction: ';
  return [
    ref,
    String(initiative),
    String(amount),
    String(ai),
    bill.currency,
    cost_type,
    `${month}-01`,
    lastOfMonth(`${month}-01`),
    bill.provider,
    `${correction}${bill.provider}, ${bill.billingAccountName ?? bill.billingAccount}, ${bill.month}`,
    'integration',
    connectionRef(bill),
    billRef(bill),
  ];
}
