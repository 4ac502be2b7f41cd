import { column, defineTable, repeating } from './table.ts';

/** Every approval decision that was not about a sample initiative. */
export const approval_decisions = defineTable({
  name: 'approval_decisions',
  grain: 'one row per approval decision',
  description:
    'What was approved, rejected, disputed or sent back, by whom and when; kept when what it was about is deleted.',
  key: ['approval_decision_id'],
  from: 'reporting.approval_decisions where account_id = :account_id and not is_sample order by id',
  bare: 'ledger.approval_decisions d where d.account_id = $1 and not d.is_sample and not exists (select from ledger.initiatives i where i.account_id = $1 and i.is_sample and i.id = d.initiative_id)',
  columns: [
    column('approval_decision_id', 'id', 'The decision.', { from: 'id' }),
    column('subject_kind', 'string', 'What was decided about; the subject of a charter is its initiative.', {
      values: ['initiative', 'value_entry', 'budget', 'charter'],
    }),
    column('subject_id', 'id', 'The value entry, initiative or budget decided about, which may be gone.', {
      near: true,
    }),
    repeating('initiative_id', 'id?', 'The initiative it belongs to; empty once that is deleted.', {
      references: 'initiatives',
    }),
    repeating('subject_title', 'string', 'The title of the subject when it was decided.'),
    column('item_label', 'string?', 'Which item of the subject; empty when the whole was decided.'),
    column(
      'decision',
      'string',
      "The decision; `step_approved` is one approver's sign-off in a chain and approves nothing yet.",
      { values: ['approved', 'step_approved', 'rejected', 'disputed', 'sent_back'] },
    ),
    repeating(
      'resulting_state',
      'string?',
      'The state the subject came to be in; empty when it did not change.',
    ),
    repeating('step', 'integer?', 'Which step of the chain; empty without a chain.'),
    repeating('total_steps', 'integer?', 'How many steps the chain has; empty without a chain.'),
    column('source', 'string', 'How the decision came to be.', {
      values: ['direct', 'bulk', 'auto', 'backfill', 'assistant', 'import'],
    }),
    column('amount_cents', 'cents?', 'The amount decided about, in cents of `currency`; empty without one.'),
    repeating('currency', 'string?', 'The ISO 4217 currency of the amount; empty without one.'),
    column('reason', 'text?', 'The reason that was given; empty when none was.'),
    repeating('decided_by_id', 'id?', 'The person who decided; empty when approved automatically.'),
    repeating('decided_by_name', 'string?', 'The name of that person; empty when approved automatically.'),
    column('decided_at', 'timestamp', 'When it was decided.'),
  ],
});
