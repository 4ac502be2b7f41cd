import { z } from '@hono/zod-openapi';
import { cash, cents } from '../../figures/cents.ts';
import { roiPercentage } from '../../figures/roi.ts';
import { roiFigures } from '../live/roi-shape.ts';
import { day, number } from '../contract/shapes.ts';
import { money } from './amounts.ts';
import { app_url } from './application-links.ts';
import { initiative_id } from './inputs.ts';
import { chooseToolSource, snapshotInput, snapshotOutput, tellMoment } from './named-snapshot.ts';
import { defineTool, TOOL_TIMEOUT_MS } from './tool.ts';
import { cutName, DATA_NOTE, quoted } from './user-text.ts';
import { requireToolWindow, windowInputs } from './window-inputs.ts';

const output = z.strictObject({
  ...roiFigures.shape,
  as_of: day('The current UTC day, or that of the snapshot; trailing windows end on it.'),
  ...snapshotOutput,
  roi_percentage: number(
    '`roi` as a percentage, rounded to one decimal; null when the cost is zero or less, which is not an ROI of zero.',
  ).nullable(),
  app_url,
});

type Summary = z.output<typeof output>;

/** The answer of `/roi`, with ROI as a percentage and a link to the page. */
export const get_roi_summary = defineTool({
  name: 'get_roi_summary',
  title: 'ROI summary',
  description:
    'Use this for any question about value, cost, savings, freed hours or return, of the whole portfolio or of one initiative. ' +
    'Gives cash value and freed capacity as two figures that must never be added, cost in its capex and opex parts, net value and return (ROI), ' +
    'in integer cents of the stated currency for the stated window; the text writes amounts out. ' +
    'Omit initiative_id for the portfolio; find the id of an initiative with search or list_initiatives first. ' +
    'A window other than all time counts only entries whose period starts in it. A null ROI means that the cost is zero or less, not that the return is zero.',
  namesPeriods: true,
  input: z.strictObject({
    initiative_id: initiative_id.optional().meta({
      description: 'One initiative; omit it for the whole portfolio.',
    }),
    ...windowInputs,
    ...snapshotInput,
  }),
  output,
  async answer(parts, { initiative_id: requested_id, snapshot, ...asked }, caller) {
    const { source, asOf } = await chooseToolSource(parts, caller, snapshot);
    const session = { timeout_ms: TOOL_TIMEOUT_MS, figures: true };
    return await source.read(session, async (reads) => {
      const moment = await reads.moment();
      const window = requireToolWindow(asked, moment);
      const id = requested_id === undefined ? undefined : BigInt(requested_id);
      const shown = await reads.roi({ window, initiative_id: id, include_sample: false });
      const link = await reads.links();
      const { title } = shown.scope;
      return {
        ...shown,
        scope: { ...shown.scope, ...(title !== undefined && { title: cutName(title) }) },
        ...asOf,
        as_of: moment.as_of,
        roi_percentage: roiPercentage(
          cash(BigInt(shown.cash_value_cents)),
          cents(BigInt(shown.total_cost_cents)),
        ),
        app_url: link(id === undefined ? '/roi' : `/initiatives/${id}`),
      };
    });
  },
  tell(summary) {
    const { scope, period, currency, cost } = summary;
    const of =
      scope.title === undefined ? 'the whole portfolio' : `initiative ${scope.id}, ${quoted(scope.title)}`;
    const from = period.from === undefined ? '' : `from ${period.from} `;
    return [
      ...(scope.title === undefined ? [] : [DATA_NOTE]),
      `ROI of ${of}. ${period.label}, ${from}through ${period.through}, as of ${summary.as_of}.`,
      ...tellMoment(summary),
      `Cash value: ${money(summary.cash_value_cents, currency)}`,
      `Freed capacity (not cash, never added to it): ${money(summary.freed_capacity_cents, currency)}`,
      `Cost: ${money(summary.total_cost_cents, currency)} (capex ${money(cost.capex_cents, currency)}, opex ${money(cost.opex_cents, currency)})`,
      `Net value: ${money(summary.net_value_cents, currency)}`,
      `Return (ROI): ${summary.roi_percentage === null ? 'none, because the cost is zero or less' : `${summary.roi_percentage.toFixed(1)}%`}`,
      ...leftOut(summary),
      `Page: ${summary.app_url ?? 'none'}`,
    ].join('\n');
  },
});

/** Amounts that are missing from the figures or may still change. A model must see that the totals are incomplete. */
function leftOut({ currency, value_left_out, cost_left_out, provisional_cost_cents }: Summary): string[] {
  return [
    ...value_left_out.map(
      (left) =>
        `Not counted, without a dollar figure: cash value ${money(left.amount_cents, left.currency)}, freed capacity ${money(left.capacity_amount_cents, left.currency)}`,
    ),
    ...cost_left_out.map(
      (left) => `Not counted, without a dollar figure: cost ${money(left.amount_cents, left.currency)}`,
    ),
    ...(provisional_cost_cents === 0
      ? []
      : [`Of the cost, at a provisional rate: ${money(provisional_cost_cents, currency)}`]),
  ];
}
