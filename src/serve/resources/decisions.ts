import { cash, cents, netOf } from '../../figures/cents.ts';
import { liveRoi } from '../../figures/roi.ts';
import { listDecisions } from '../../ledger/lists/decisions.ts';
import { requireExactSums } from '../../sum-limit.ts';
import { DECISION, OUTCOMES } from '../../tables/records/decision.ts';
import { initiative_id, oneOf, updated_since } from '../contract/queries.ts';
import { exactNumber } from '../contract/shown.ts';
import { defineResource } from '../live/resource.ts';

const LABELS = {
  continue: 'Continue',
  scale: 'Scale',
  fix: 'Fix',
  pause: 'Pause',
  retire: 'Retire',
} as const satisfies Record<(typeof OUTCOMES)[number], string>;

/** Portfolio decisions, with the figures shown at the time of the decision. */
export const decisions = defineResource(DECISION, {
  sentence: 'Portfolio decisions.',
  filters: { updated_since, initiative_id, outcome: oneOf(OUTCOMES, 'Only decisions of this outcome.') },
  read: listDecisions,
  compute: (decision) => {
    const value = cash(decision.cash_value_cents);
    const cost = cents(decision.cost_to_date_cents);
    const net_cents = netOf(value, cost);
    requireExactSums(() => `decision ${decision.id}`, { net_cents });
    return {
      outcome_label: LABELS[decision.outcome],
      stage_changed: decision.stage_before !== decision.stage_after,
      net_cents: exactNumber(net_cents),
      roi: liveRoi(value, cost),
    };
  },
});
