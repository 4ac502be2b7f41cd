/** Bills, charges, links, shares and bookings for the tests of AI spend, each month of a test its own. */
import { type Row, addCost, addInitiative } from '../support/ledger-rows.ts';
import { type ViewLedger, openLedger } from './ledger-harness.ts';
import { tableRows } from './table-rows.ts';

/** Bills of 1,000.00 dollars, of which 600.00 are for AI. */
const BILLED = { amount_cents: 100_000, ai_amount_cents: 60_000, currency: 'USD' };

export interface AiLedger extends ViewLedger {
  readonly sample: bigint;
  addConnection(row?: Row): Promise<bigint>;
  /** A vendor flagged as AI, of a name of its own. */
  addVendor(row?: Row): Promise<bigint>;
  /** A month that no other test has, so that rows of others never add to it. */
  nextMonth(): string;
  providerBill(connection_id: bigint, month: string, row?: Row): Promise<bigint>;
  vendorBill(vendor_id: bigint, month: string, row?: Row): Promise<bigint>;
  charge(connection_id: bigint, charged_on: string, row?: Row): Promise<bigint>;
  link(row: Row, initiative_id?: bigint): Promise<bigint>;
  share(link_id: bigint, row: Row): Promise<bigint>;
  /** A booking of 300.00 dollars, of which 200.00 are for AI. */
  book(row: Row, initiative?: bigint): Promise<bigint>;
  /** The rows of one month. */
  spendOf(month: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** An account with a sample initiative beside its own; `database.drop` ends it. */
export async function openAiLedger(): Promise<AiLedger> {
  const ledger = await openLedger();
  const { add, home, owner, write } = ledger;
  const sample = await write(() => addInitiative(owner, home.account, { is_sample: true }));
  await owner.query(`insert into ledger.platforms (key, name, category) values ('openai', 'OpenAI', 'ai')`);
  let vendors = 0;
  let months = 0;
  return {
    ...ledger,
    sample,
    addConnection: (row) =>
      add('ledger.connections', { platform_key: 'openai', name: 'OpenAI', status: 'active', ...row }),
    addVendor: (row) => add('ledger.vendors', { name: `Vendor ${++vendors}`, is_ai: true, ...row }),
    nextMonth: () => {
      const at = months++;
      return `${2000 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`;
    },
    providerBill: (connection_id, month, row) =>
      add('ledger.provider_bills', { connection_id, month, ...BILLED, ...row }),
    vendorBill: (vendor_id, month, row) =>
      add('ledger.vendor_bills', { vendor_id, month, feed: 'books', ...BILLED, ...row }),
    charge: (connection_id, charged_on, row) =>
      add('ledger.card_charges', { connection_id, charged_on, amount_cents: 4_200, currency: 'USD', ...row }),
    link: (row, initiative_id = home.initiative) => add('ledger.ai_spend_links', { initiative_id, ...row }),
    share: (link_id, row) => add('ledger.bill_shares', { link_id, share: '0.5', ...row }),
    book: (row, initiative = home.initiative) =>
      write(() =>
        addCost(owner, { ...home, initiative }, { amount_cents: 30_000, ai_amount_cents: 20_000, ...row }),
      ),
    spendOf: async (month) => {
      const rows = await tableRows(ledger, 'ai_spend');
      return rows.filter((row) => row['month'] === month);
    },
  };
}
