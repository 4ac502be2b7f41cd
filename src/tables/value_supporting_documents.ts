import { column, defineTable, repeating } from './table.ts';

/** Documents cited by approved value entries. */
export const value_supporting_documents = defineTable({
  name: 'value_supporting_documents',
  grain: 'one row per document cited by an approved value entry',
  description:
    'The documents that support approved value; an entry and a document meet in one row, the earliest citation.',
  key: ['value_entry_id', 'document_id'],
  from: `reporting.supporting_documents where account_id = :account_id and status = 'approved' and not is_sample order by value_entry_id, document_id`,
  columns: [
    column('value_entry_id', 'id', 'The entry that cites the document.', {
      references: 'reported_value',
    }),
    repeating('document_id', 'id', 'The document.'),
    repeating('initiative_id', 'id', 'The initiative of the citing entry.', {
      references: 'initiatives',
    }),
    column('kind', 'string', 'What kind of document it is.', {
      values: ['business_case', 'review_deck', 'sow', 'contract', 'other'],
    }),
    column(
      'restricted',
      'boolean',
      'True for an SOW or contract, which the application shows only to owners, admins and the initiative’s approvers.',
    ),
    repeating('title', 'string?', 'The title of the document; empty when it is restricted.'),
    column('format', 'string', 'Whether it is a file or a link.', { values: ['file', 'link'] }),
    column('cited_at', 'timestamp', 'When the entry first cited it.'),
    column('app_url', 'string', "A link to the citing entry's page in the application.", { near: true }),
  ],
});
