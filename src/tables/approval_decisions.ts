import { columnsOf, defineTable, field, repeating } from './table.ts';

/** Every approval decision that was not about a sample initiative. */
export const approval_decisions = defineTable({
  name: 'approval_decisions',
  grain: 'one row per approval decision',
  description:
    'What was approved, rejected, disputed or sent back, by whom and when; a decision stays when its subject is deleted.',
  key: ['approval_decision_id'],
  from: 'reporting.approval_decisions where account_id = :account_id and not is_sample order by id',
  from_base:
    'ledger.approval_decisions d where d.account_id = $1 and not d.is_sample and not exists (select from ledger.initiatives i where i.account_id = $1 and i.is_sample and i.id = d.initiative_id)',
  copied: {
    base: 'approval_decisions',
    check: '33-check-control-decisions',
    by: ['subject_kind', 'decision'],
    only: { is_sample: 'false' },
    except: ['decided_by_name'],
    counts: {
      with_initiative: 'initiative_id',
      with_item: 'item_label',
      with_state: 'resulting_state',
      with_step: 'step',
      with_steps: 'total_steps',
      with_amount: 'amount_cents',
      with_reason: 'reason',
      with_decider: 'decided_by_id',
    },
    sums: ['amount_cents'],
  },
  columns: columnsOf({
    approval_decision_id: field('id', 'The decision.', { from: 'id' }),
    subject_kind: field('string', 'What the decision is about; the subject of a charter is its initiative.', {
      values: ['initiative', 'value_entry', 'budget', 'charter'],
    }),
    subject_id: field('id', 'The value entry, initiative or budget of the decision, which may be deleted.', {
      encoding: 'delta',
    }),
    initiative_id: repeating('id?', 'The initiative it belongs to; empty once that is deleted.', {
      references: 'initiatives',
    }),
    subject_title: repeating('string', 'The title of the subject when it was decided.'),
    item_label: field('string?', 'Which item of the subject; empty when the whole was decided.'),
    decision: field(
      'string',
      "The decision; `step_approved` is one approver's sign-off in a chain and approves nothing yet.",
      { values: ['approved', 'step_approved', 'rejected', 'disputed', 'sent_back'] },
    ),
    resulting_state: repeating(
      'string?',
      'The state of the subject after the decision; empty when the state did not change.',
    ),
    step: repeating('integer?', 'Which step of the chain; empty without a chain.'),
    total_steps: repeating('integer?', 'How many steps the chain has; empty without a chain.'),
    source: field('string', 'How the decision was made.', {
      values: ['direct', 'bulk', 'auto', 'backfill', 'assistant', 'import'],
    }),
    amount_cents: field(
      'cents?',
      'The amount of the decision, in cents of `currency`; empty without an amount.',
    ),
    currency: repeating('string?', 'The ISO 4217 currency of the amount; empty without an amount.'),
    reason: field('text?', 'The reason that was given; empty when no reason was given.'),
    decided_by_id: repeating('id?', 'The person who decided; empty when approved automatically.'),
    decided_by_name: repeating('string?', 'The name of that person; empty when approved automatically.'),
    decided_at: field('timestamp', 'When it was decided.'),
  }),
});
