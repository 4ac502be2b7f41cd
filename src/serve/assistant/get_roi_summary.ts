import { z } from '@hono/zod-openapi';
import { cash, cents } from '../../figures/cents.ts';
import { roiPercentage } from '../../figures/roi.ts';
import { readFiscalYearStart } from '../../ledger/accounts.ts';
import { inFigureMoment } from '../live/figure-moment.ts';
import { readRoi } from '../live/ledger-roi.ts';
import { answerFrozenRoi } from '../live/snapshot-roi.ts';
import { roiFigures, showRoi } from '../live/roi-shape.ts';
import { day, number } from '../contract/shapes.ts';
import { money } from './amounts.ts';
import { app_url, readLinks } from './application-links.ts';
import { initiative_id } from './inputs.ts';
import {
  frozenLinks,
  initiativePages,
  openNamed,
  type SnapshotCaller,
  snapshotInput,
  snapshotOutput,
  tellMoment,
} from './named-snapshot.ts';
import { defineTool, TOOL_TIMEOUT_MS, type ToolParts } from './tool.ts';
import { cutName, DATA_NOTE, quoted } from './user-text.ts';
import { requireToolWindow, windowInputs, type WindowTexts } from './window-inputs.ts';

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
    'Gives cash value and freed capacity as two figures that must never be added, cost in its capex and opex parts, net cash and cash ROI, ' +
    'all in integer cents of the stated currency for the stated window. ' +
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
  async answer(parts, account_id, { initiative_id: requested_id, snapshot, ...asked }, caller) {
    if (snapshot !== undefined)
      return await summaryAsOf(parts, caller, { snapshot, initiative: requested_id, asked });
    const session = { account_id, timeout_ms: TOOL_TIMEOUT_MS };
    return await inFigureMoment(parts, session, async (client, today) => {
      const fiscal_year_start_month = await readFiscalYearStart(client, account_id);
      const moment = { as_of: today, fiscal_year_start_month };
      const query = {
        window: requireToolWindow(asked, moment),
        initiative_id: requested_id === undefined ? undefined : BigInt(requested_id),
        include_sample: false,
      };
      const { figures, initiative } = await readRoi(client, { ...query, account_id, moment });
      const link = await readLinks(client, account_id);
      const shown = showRoi(figures, initiative);
      const { cash_value_cents, cost_cents } = figures.figures;
      return {
        ...shown,
        scope: { ...shown.scope, ...(initiative !== null && { title: cutName(initiative.title) }) },
        as_of: today,
        roi_percentage: roiPercentage(cash_value_cents, cost_cents),
        app_url: link(initiative === null ? '/roi' : `/initiatives/${initiative.id}`),
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
      `Net cash: ${money(summary.net_value_cents, currency)}`,
      `Cash ROI: ${summary.roi_percentage === null ? 'none, because the cost is zero or less' : `${summary.roi_percentage.toFixed(1)}%`}`,
      ...leftOut(summary),
      `Page: ${summary.app_url ?? 'none'}`,
    ].join('\n');
  },
});

interface SummaryAsOf {
  readonly snapshot: string;
  readonly initiative: number | undefined;
  readonly asked: WindowTexts;
}

/** The summary as of a snapshot. The files name its page too, so the ledger is not read. */
async function summaryAsOf(
  { snapshots, frozenRoi, figureSlots }: ToolParts,
  caller: SnapshotCaller,
  { snapshot, initiative, asked }: SummaryAsOf,
): Promise<Summary> {
  const { files, moment, asOf } = await openNamed(snapshots, caller, snapshot);
  const window = requireToolWindow(asked, moment);
  const id = initiative === undefined ? undefined : BigInt(initiative);
  const shown = await figureSlots.run(caller.account_id, () =>
    answerFrozenRoi(frozenRoi, files, { window, initiative_id: id }),
  );
  const pages = await initiativePages([files]);
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
    app_url: initiative === undefined ? frozenLinks(pages)('/roi') : (pages.get(initiative) ?? null),
  };
}

/** Amounts that are missing from the figures or may still change. A model must see that the totals are incomplete. */
function leftOut({ currency, value_left_out, cost_left_out, provisional_cost_cents }: Summary): string[] {
  return [
    ...value_left_out.map(
      (left) =>
        `Not counted, because there is no exchange rate: cash value ${money(left.amount_cents, left.currency)}, freed capacity ${money(left.capacity_amount_cents, left.currency)}`,
    ),
    ...cost_left_out.map(
      (left) =>
        `Not counted, because there is no exchange rate: cost ${money(left.amount_cents, left.currency)}`,
    ),
    ...(provisional_cost_cents === 0
      ? []
      : [`Of the cost, at a provisional rate: ${money(provisional_cost_cents, currency)}`]),
  ];
}
