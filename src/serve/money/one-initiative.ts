/** The page of one initiative: which one is asked for, and why its totals moved. */
import type { Context } from 'hono';
import type { Change } from '../../diff/change.ts';
import type { Diffs } from '../../diff/diff-cache.ts';
import { readMovedTotals } from '../../diff/moved-totals.ts';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { errorFields } from '../../log.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { accountOf } from '../reporting/chosen-snapshot.ts';
import { defineFigures, type FiguresParts } from './figures-page.ts';
import type { Initiatives } from './initiative.ts';
import { initiativeBody } from './initiative-page.ts';
import type { InitiativeOverview } from './overview.ts';

interface Parts extends FiguresParts {
  readonly diffs: Diffs;
  readonly initiatives: Initiatives;
}

export const initiativePage = defineFigures({
  path: '/initiatives/{initiative_id}',
  title: 'Initiative',
  here: 'initiatives',
  query: ['snapshot'],
  says: 'An initiative: plan and actual, its costs, value, budgets and decisions.',
  content:
    (parts: Parts) =>
    ({ c, named }) => {
      const given = named.initiative_id;
      if (!/^[1-9]\d{0,18}$/.test(given)) throw noInitiative(given);
      const id = BigInt(given);
      return async ({ comparing, files, links }) => {
        const money = await parts.initiatives(files, id);
        if (money === null) throw noInitiative(given);
        const overview = await parts.overviews.ofInitiative(id, ...comparing);
        const moves = await movesOf(c, parts, overview, id);
        return {
          title: `Initiative ${given}`,
          body: initiativeBody({ overview, id, money, links, moves }),
        };
      };
    },
});

/** Why an initiative's totals moved; null if that is not known yet, or cannot be read now. */
async function movesOf(
  c: Context<ServeEnv>,
  { diffs }: Parts,
  { before, snapshot, moves }: InitiativeOverview,
  id: bigint,
): Promise<readonly Change[] | null> {
  if (before === null || moves === null) return null;
  try {
    return await diffs.use(accountOf(c), before, snapshot, (diff) => readMovedTotals(diff, id));
  } catch (error) {
    if (!isCrossfootError(error)) throw error;
    c.var.logger.warn('moves.unread', { snapshot: snapshot.snapshot_id, ...errorFields(error) });
    return null;
  }
}

function noInitiative(id: string): CrossfootError {
  return new CrossfootError(
    'not_found',
    `This snapshot has no initiative ${JSON.stringify(id)}. The page of initiatives lists those that it has.`,
  );
}
