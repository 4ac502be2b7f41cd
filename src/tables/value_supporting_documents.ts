import { columnsOf, defineTable, field, repeating } from './table.ts';

/** Documents cited by approved value entries. */
export const value_supporting_documents = defineTable({
  name: 'value_supporting_documents',
  grain: 'one row per document cited by an approved value entry',
  description:
    'The documents that approved value entries cite. If an entry cites a document several times, there is one row, with the time of the first citation.',
  key: ['value_entry_id', 'document_id'],
  from: `reporting.supporting_documents where account_id = :account_id and status = 'approved' and not is_sample order by value_entry_id, document_id`,
  columns: columnsOf({
    value_entry_id: field('id', 'The entry that cites the document.', {
      references: 'reported_value',
    }),
    document_id: repeating('id', 'The document.'),
    initiative_id: repeating('id', 'The initiative of the citing entry.', {
      references: 'initiatives',
    }),
    kind: field('string', 'What kind of document it is.', {
      values: ['business_case', 'review_deck', 'sow', 'contract', 'other'],
    }),
    restricted: field(
      'boolean',
      'True for an SOW or contract, which the application shows only to owners, admins and the initiative’s approvers.',
    ),
    title: repeating('string?', 'The title of the document; empty when it is restricted.'),
    format: field('string', 'Whether it is a file or a link.', { values: ['file', 'link'] }),
    cited_at: field('timestamp', 'When the entry first cited it.'),
    app_url: field('string', "A link to the citing entry's page in the application.", { encoding: 'delta' }),
  }),
});
