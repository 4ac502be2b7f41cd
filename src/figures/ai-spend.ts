/** Sums of monthly AI spend: what was billed, and which part is booked as costs of initiatives ("carried"). */

/** The amounts of one month of a provider, a vendor, or the card feeds, in US cents. */
export interface AiSpendMonth {
  readonly source_kind: 'provider_bill' | 'ai_vendor' | 'card';
  readonly billed_cents: bigint;
  readonly booked_cents: bigint | null;
  readonly ai_billed_cents: bigint | null;
  readonly ai_booked_cents: bigint | null;
}

/** Who billed a row: a connection to a provider by its id, or a vendor by its name. */
export interface AiPayee {
  readonly source_kind: AiSpendMonth['source_kind'];
  readonly connection_id: bigint | null;
  readonly platform: string | null;
  readonly connection_name: string | null;
  readonly vendor_name: string | null;
}

/** The name of who billed a row, as people read it; null for cards, and for a vendor without a name. */
export interface AiBiller {
  readonly biller: string | null;
}

/** What is known of a connection besides its row of AI spend. */
export interface KnownConnection {
  /** The name of its platform; null if it is not known. */
  readonly platform_name: string | null;
  readonly external_account_id: string | null;
  readonly external_account_name: string | null;
}

/** The platform of bills in the format of FOCUS: a form of files, and no biller. */
const FOCUS = 'focus';

export interface AiSpendSum {
  readonly billed_cents: bigint;
  /** The AI part of what was billed. */
  readonly ai_billed_cents: bigint;
  /** The part of `ai_billed_cents` that is booked to initiatives. */
  readonly carried_cents: bigint;
  /** The rest of `ai_billed_cents`. */
  readonly not_carried_cents: bigint;
}

/** Adds up bills. Card rows are left out: a charge may be on a vendor's bill as well. */
export function sumAiBills(months: readonly AiSpendMonth[]): AiSpendSum {
  let [billed_cents, ai_billed_cents, carried_cents] = [0n, 0n, 0n];
  for (const month of months) {
    if (month.source_kind === 'card') continue;
    billed_cents += month.billed_cents;
    ai_billed_cents += month.ai_billed_cents ?? 0n;
    carried_cents += month.ai_booked_cents ?? 0n;
  }
  return { billed_cents, ai_billed_cents, carried_cents, not_carried_cents: ai_billed_cents - carried_cents };
}

/**
 * Names who billed each row: a vendor by its name, a connection by its platform, or by its own name. Names that differ only in
 * case or in spaces around them are one biller. All its rows get one spelling: the vendor's, if there is one.
 */
export function nameBillers<Row extends AiPayee>(
  rows: readonly Row[],
  known: ReadonlyMap<bigint, KnownConnection>,
): readonly (Row & AiBiller)[] {
  const names = rows.map((row) => payeeName(row, known));
  const vendors = rows.map(({ vendor_name }) => vendor_name);
  const spelling = oneSpelling([vendors, names].map((each) => each.filter((name) => name !== null)));
  return rows.map((row, index) => {
    const name = names[index] ?? null;
    return { ...row, biller: name === null ? null : spelling(name) };
  });
}

/** Gives the one spelling of names that differ only in case or in spaces: of the first list that has it, the first by its characters. */
function oneSpelling(lists: readonly (readonly string[])[]): (name: string) => string {
  const chosen = new Map<string, string>();
  // What is set last stays: the least name of the first list.
  for (const names of lists.toReversed()) {
    const trimmed = names.map((name) => name.trim());
    for (const name of trimmed.toSorted((a, b) => (a < b ? 1 : -1))) chosen.set(name.toLowerCase(), name);
  }
  return (name) => chosen.get(name.trim().toLowerCase()) ?? name;
}

function payeeName(
  { source_kind, connection_id, platform, connection_name, vendor_name }: AiPayee,
  known: ReadonlyMap<bigint, KnownConnection>,
): string | null {
  if (source_kind === 'card') return null;
  if (vendor_name !== null) return vendor_name;
  const connection = connection_id === null ? undefined : known.get(connection_id);
  if (platform === FOCUS && connection_name !== null) return providerOf(connection_name, connection);
  return connection?.platform_name ?? (platform === null ? connection_name : wordsOf(platform));
}

/** A load of FOCUS names a connection by the provider and its billing account: `anthropic Claims`. */
function providerOf(name: string, connection: KnownConnection | undefined): string {
  const account = connection?.external_account_name ?? connection?.external_account_id ?? '';
  const end = ` ${account}`;
  return account !== '' && name.endsWith(end) ? name.slice(0, -end.length) : name;
}

/** A key in words, for a snapshot that does not have the name of the platform. */
function wordsOf(key: string): string {
  return `${key.slice(0, 1).toUpperCase()}${key.slice(1).replaceAll('_', ' ')}`;
}

/** Groups the bills by who billed them. Card rows are left out. */
export function groupByBiller<Row extends AiPayee & AiBiller>(
  rows: readonly Row[],
): readonly { readonly biller: string | null; readonly rows: readonly Row[] }[] {
  const bills = rows.filter(({ source_kind }) => source_kind !== 'card');
  return [...Map.groupBy(bills, ({ biller }) => biller)].map(([biller, some]) => ({ biller, rows: some }));
}

/** Adds up card charges, which are reported beside the bills and never added to them. */
export function sumCards(months: readonly AiSpendMonth[]): Record<'billed_cents' | 'booked_cents', bigint> {
  let [billed_cents, booked_cents] = [0n, 0n];
  for (const month of months) {
    if (month.source_kind !== 'card') continue;
    billed_cents += month.billed_cents;
    booked_cents += month.booked_cents ?? 0n;
  }
  return { billed_cents, booked_cents };
}
