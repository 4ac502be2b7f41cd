/** Which documents stand behind approved value, and whose title is withheld. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Row, addInitiative, addValue } from '../support/ledger-rows.ts';
import { type ViewLedger, openLedger } from './ledger-harness.ts';
import { tableRows } from './table-rows.ts';

let ledger: ViewLedger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.database.drop());

const addEntry = (row: Row = {}, initiative = ledger.home.initiative): Promise<bigint> =>
  ledger.write(() => addValue(ledger.owner, { ...ledger.home, initiative }, row));
const addDocument = (row: Row = {}): Promise<bigint> =>
  ledger.add('ledger.documents', {
    initiative_id: ledger.home.initiative,
    kind: 'other',
    title: 'Mail of 3 June',
    format: 'file',
    ...row,
  });
const cite = (value_entry_id: bigint, document_id: bigint, cited_at = '2025-06-12T10:00:00.000001Z') =>
  ledger.add('ledger.document_citations', { value_entry_id, document_id, cited_at });

async function documentsOf(entry: bigint): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows = await tableRows(ledger, 'value_supporting_documents');
  return rows.filter((row) => row['value_entry_id'] === entry);
}

it.each([
  ['business_case', false, 'Mail of 3 June'],
  ['review_deck', false, 'Mail of 3 June'],
  ['sow', true, null],
  ['contract', true, null],
  ['other', false, 'Mail of 3 June'],
])('a %s has restricted %s and title %s', async (kind, restricted, title) => {
  const entry = await addEntry();
  const document = await addDocument({ kind, format: 'link' });
  await cite(entry, document);
  expect(await documentsOf(entry)).toEqual([
    {
      value_entry_id: entry,
      document_id: document,
      initiative_id: ledger.home.initiative,
      kind,
      restricted,
      title,
      format: 'link',
      // 2025-06-12 is 20,251 days after 1970.
      cited_at: 20_251n * 86_400_000_000n + 10n * 3_600_000_000n + 1n,
      app_url: `https://app.example/initiatives/${ledger.home.initiative}/value/${entry}`,
    },
  ]);
});

it('a document cited twice by one entry is one row at the earliest citation, one cited by two is two', async () => {
  const [first, second] = [await addEntry(), await addEntry()];
  const document = await addDocument();
  await cite(first, document, '1970-01-01T00:00:02Z');
  await cite(first, document, '1970-01-01T00:00:01Z');
  await cite(second, document, '1970-01-01T00:00:03Z');
  expect(await documentsOf(first)).toMatchObject([{ document_id: document, cited_at: 1_000_000n }]);
  expect(await documentsOf(second)).toMatchObject([{ document_id: document, cited_at: 3_000_000n }]);
});

it('a document of another initiative stands under the entry that cites it', async () => {
  const other = await ledger.write(() => addInitiative(ledger.owner, ledger.home.account));
  const entry = await addEntry({}, other);
  await cite(entry, await addDocument());
  expect(await documentsOf(entry)).toMatchObject([{ initiative_id: other }]);
});

it('an entry that is not approved, or a sample’s, shows no document', async () => {
  const sample = await ledger.write(() =>
    addInitiative(ledger.owner, ledger.home.account, { is_sample: true }),
  );
  for (const entry of [await addEntry({ status: 'reviewed' }), await addEntry({}, sample)]) {
    await cite(entry, await addDocument());
    expect(await documentsOf(entry)).toEqual([]);
  }
});
