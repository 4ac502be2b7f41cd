/** The pages of cost and value besides the overview: initiatives, one initiative, budgets, AI spend; each of one snapshot. */
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Change } from '../../diff/change.ts';
import type { Diffs } from '../../diff/diff-cache.ts';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { errorFields } from '../../log.ts';
import { acceptParameters } from '../http/parameters.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { snapshotFiles, type SnapshotFiles } from '../live/snapshot-files.ts';
import { auditOf } from '../pages/audit-of.ts';
import { framedPage } from '../frame/page-frame.ts';
import { formTokenFor, requireSession, type SignInParts } from '../frame/signed-in.ts';
import { oneBefore } from '../pages/snapshot-page.ts';
import { checksPassed } from '../pages/snapshots-page.ts';
import { standingNotes } from '../pages/standing-notes.ts';
import { accountOf, latest, pinned, type ReportingParts } from '../reporting/chosen-snapshot.ts';
import type { Html, Way } from '../frame/site-layout.ts';
import { aiSpendRows } from './ai-spend.ts';
import { aiSpendBody } from './ai-spend-page.ts';
import { budgetsBody, newestComparisons } from './budgets-page.ts';
import { createInitiatives } from './initiative.ts';
import { readInitiativeMoves } from './initiative-moves.ts';
import { initiativeBody } from './initiative-page.ts';
import { initiativesBody } from './initiatives-page.ts';
import type { Overview, Overviews } from './overview.ts';
import { readOverviewQuery } from './overview-query.ts';
import { type RowLinks, rowLinks } from './row-links.ts';
import { snapshotBar } from './snapshot-bar.ts';

export interface MoneyParts extends SignInParts, ReportingParts {
  readonly diffs: Diffs;
}

interface Page {
  readonly title: string;
  readonly root: string;
  readonly here: Way;
  /** The page's own address, relative to itself. */
  readonly action: string;
  readonly body: (overview: Overview, files: SnapshotFiles, links: RowLinks) => Promise<Html> | Html;
}

/** The routes `/initiatives`, `/initiatives/{id}`, `/budgets` and `/ai-spend`. */
export function moneyRoutes(parts: MoneyParts, overviews: Overviews): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const initiatives = createInitiatives();
  const { snapshots } = parts;

  async function answer(c: Context<ServeEnv>, { title, root, here, action, body }: Page): Promise<Response> {
    const account_id = accountOf(c);
    const asked = c.req.query('snapshot');
    const [listed, snapshot] = await Promise.all([
      snapshots.list(account_id),
      asked === undefined ? latest(parts, c) : pinned(parts, c, asked),
    ]);
    const before = oneBefore(snapshot.snapshot_id, listed) ?? null;
    const overview = await overviews(account_id, snapshot, before, (error) =>
      c.var.logger.warn('moves.unread', { snapshot: snapshot.snapshot_id, ...errorFields(error) }),
    );
    const links = rowLinks(root, snapshot.snapshot_id);
    const content = await body(overview, snapshotFiles(snapshots, account_id, snapshot), links);
    const checks = checksPassed(await auditOf(c, snapshots, snapshot));
    return c.html(
      await framedPage({
        title,
        root,
        here,
        body: html`${snapshotBar({ overview, listed, checks, root, action })}
        ${standingNotes(snapshot, `${root}snapshots/`)} ${content}`,
        form_token: formTokenFor(c, parts),
      }),
    );
  }

  /** Why an initiative's totals moved; null if that is not known yet, or cannot be read now. */
  async function movesOf(
    c: Context<ServeEnv>,
    { before, snapshot, moves }: Overview,
    id: bigint,
  ): Promise<readonly Change[] | null> {
    if (before === null || moves === null) return null;
    try {
      return await parts.diffs.use(accountOf(c), before, snapshot, (diff) => readInitiativeMoves(diff, id));
    } catch (error) {
      if (!isCrossfootError(error)) throw error;
      c.var.logger.warn('moves.unread', { snapshot: snapshot.snapshot_id, ...errorFields(error) });
      return null;
    }
  }

  routes.get(
    '/initiatives',
    requireSession(parts, './'),
    acceptParameters(['snapshot', 'by', 'window']),
    async (c) => {
      const { by, window } = readOverviewQuery(c.req.query());
      return await answer(c, {
        title: 'Initiatives',
        root: '',
        here: 'initiatives',
        action: 'initiatives',
        body: (overview, _, links) => initiativesBody({ overview, by, window, links }),
      });
    },
  );

  routes.get(
    '/initiatives/:initiative_id',
    requireSession(parts, '../'),
    acceptParameters(['snapshot']),
    async (c) => {
      const given = c.req.param('initiative_id');
      if (!/^[1-9]\d{0,18}$/.test(given)) throw noInitiative(given);
      const id = BigInt(given);
      return await answer(c, {
        title: `Initiative ${given}`,
        root: '../',
        here: 'initiatives',
        action: given,
        async body(overview, files, links) {
          const money = await initiatives(files, id);
          if (money === null) throw noInitiative(given);
          const moves = await movesOf(c, overview, id);
          return initiativeBody({ overview, id, money, links, moves });
        },
      });
    },
  );

  routes.get('/budgets', requireSession(parts, './'), acceptParameters(['snapshot']), async (c) =>
    answer(c, {
      title: 'Budgets',
      root: '',
      here: 'budgets',
      action: 'budgets',
      body: async (overview, files, links) => budgetsBody(overview, await newestComparisons(files), links),
    }),
  );

  routes.get('/ai-spend', requireSession(parts, './'), acceptParameters(['snapshot']), async (c) =>
    answer(c, {
      title: 'AI spend',
      root: '',
      here: 'ai-spend',
      action: 'ai-spend',
      body: async (_, files, links) => aiSpendBody(await aiSpendRows(files), links),
    }),
  );
  return routes;
}

function noInitiative(id: string): CrossfootError {
  return new CrossfootError(
    'not_found',
    `This snapshot has no initiative ${JSON.stringify(id)}. The page of initiatives lists those that it has.`,
  );
}
