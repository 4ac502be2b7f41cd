/** Finds the column that a heading means: the headings that people and other programs write, for "did you mean". */
import { nearestOf } from './nearest.ts';

/** The columns that hold the same, best first, with their headings in small letters without blanks and signs. */
const HEADINGS: readonly (readonly [columns: readonly string[], headings: string])[] = [
  [
    ['amount', 'value', 'BilledCost'],
    'amount amounts cost costs sum total net netamount grossamount price spend spent charge value betrag kosten summe gesamt preis netto nettobetrag betragnetto umsatz wert montant prix coût importe importo bedrag valor',
  ],
  [
    ['currency', 'BillingCurrency'],
    'currency currencycode ccy curr wkz wkzumsatz währung waehrung devise moneda valuta',
  ],
  [
    ['vendor', 'vendor_name', 'merchant', 'name', 'ServiceProviderName', 'ProviderName'],
    'vendor vendorname supplier suppliername provider providername payee seller merchant company lieferant anbieter kreditor händler haendler firma fournisseur proveedor leverancier',
  ],
  [
    [
      'period_start',
      'charged_on',
      'month',
      'observed_at',
      'starts_on',
      'effective_from',
      'started_at',
      'ChargePeriodStart',
    ],
    'date day bookingdate invoicedate postingdate transactiondate start startdate from datum tag buchungstag belegdatum rechnungsdatum beginn von fecha jour',
  ],
  [
    ['month', 'period_start', 'starts_on', 'effective_from', 'BillingPeriodStart'],
    'month period billingmonth billingperiod monat zeitraum periode abrechnungsmonat mois mes maand',
  ],
  [['period_end', 'ends_on', 'ChargePeriodEnd'], 'end enddate to until through ende enddatum bis'],
  [
    ['initiative', 'initiative_title', 'title'],
    'initiative initiativename project projectname projekt usecase projet proyecto',
  ],
  [['title', 'name'], 'title name titel bezeichnung nom nombre'],
  [
    ['description', 'notes'],
    'description text memo comment comments note notes details subject beschreibung verwendungszweck buchungstext bemerkung notiz libellé concepto',
  ],
  [
    ['source_ref', 'id'],
    'id ref reference number no key invoice invoicenumber invoiceno documentnumber num nr nummer referenz rechnungsnummer belegnummer belegnr belegfeld1 rechnung référence',
  ],
  [['cost_type', 'entry_type'], 'type costtype expensetype kostenart art'],
  [['account_id', 'BillingAccountId'], 'account accountid accountnumber billingaccount konto kontonummer'],
];

const COLUMNS = new Map(
  HEADINGS.flatMap(([columns, headings]) =>
    headings.split(' ').map((heading) => [heading, columns] as const),
  ),
);

/** The known column that the heading means: the same in other letters, else a usual word for it, else a similar name. */
export function columnMeant(heading: string, known: readonly string[]): string | null {
  // The words of a heading are few; a heading of a million letters is no word.
  if (heading.length > 200) return nearestOf(heading, known);
  const name = lettersOf(heading);
  const same = known.find((column) => lettersOf(column) === name);
  if (same !== undefined) return same;
  const columns =
    COLUMNS.get(name) ?? COLUMNS.get(lettersOf(heading.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ''))) ?? [];
  return columns.find((column) => known.includes(column)) ?? nearestOf(heading, known);
}

function lettersOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
