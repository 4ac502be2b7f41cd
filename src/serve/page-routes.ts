/** An account's pages for people: sign-in with a token, and the content of its snapshots. */
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { html } from 'hono/html';
import { redirectWithin } from './http/header-values.ts';
import { isCrossfootError } from '../errors.ts';
import { errorFields } from '../log.ts';
import type { ReadableSnapshot } from '../snapshot/format/served-manifest.ts';
import type { ServeEnv } from './auth/authenticate.ts';
import { refusalOfError, retryAfter } from './http/error-answer.ts';
import { guardPage, PAGE_SOURCES } from './frame/page-guard.ts';
import { acceptNoParameters, acceptParameters } from './http/parameters.ts';
import { createRowLimit } from './limits/row-limit.ts';
import { createMonths } from './money/months.ts';
import { createOverviews } from './money/overview.ts';
import { moneyRoutes } from './money/money-routes.ts';
import { overviewBody, unreadFigures } from './money/overview-page.ts';
import { snapshotBar } from './money/snapshot-bar.ts';
import { type OverviewQuery, readOverviewQuery } from './money/overview-query.ts';
import { accountOf, pinned } from './reporting/chosen-snapshot.ts';
import type { Html, Way } from './frame/site-layout.ts';
import { auditOf } from './pages/audit-of.ts';
import { nightBody } from './pages/night-page.ts';
import type { NightSurroundings, OwnNight } from './pages/own-nights.ts';
import { framedPage } from './frame/page-frame.ts';
import { ownAddress, REQUESTED, requestedAddress } from './auth/requested-address.ts';
import { createKnownMoves } from './rows/known-moves.ts';
import { movesRoutes, type MovesParts } from './rows/moves-routes.ts';
import { rowRoutes, type RowParts } from './rows/row-routes.ts';
import { type ProveParts, proveRoutes } from './pages/prove-routes.ts';
import { acceptSession, formTokenFor, requireSession, type SignInParts } from './frame/signed-in.ts';
import { refusalPage, signInPage } from './frame/sign-in-page.ts';
import { signInRoutes } from './frame/sign-in-routes.ts';
import { oneBefore, snapshotBody } from './pages/snapshot-page.ts';
import { checksPassed, snapshotsBody } from './pages/snapshots-page.ts';

export interface PageParts extends ProveParts, Omit<RowParts & MovesParts, 'rowLimit'> {
  /** The account's last nights, newest first. */
  readonly ownNights: (account_id: bigint) => Promise<readonly OwnNight[]>;
  /** Its last builds on this machine, and when the next night is due. */
  readonly nightSurroundings: (account_id: bigint) => Promise<NightSurroundings>;
}

/** The routes at `/`. */
export function pageRoutes(parts: PageParts): Hono<ServeEnv> {
  const { snapshots, now, baseUrl } = parts;
  const routes = new Hono<ServeEnv>();
  const moves = createKnownMoves(parts.diffs);
  const rowLimit = createRowLimit();
  const overviews = createOverviews(snapshots, moves, createMonths(snapshots, rowLimit));
  const guards = [guardPage(PAGE_SOURCES, { forms: true }), withoutCaching] as const;
  routes.onError(answerRefusal(parts));
  routes.use('/', ...guards);
  routes.use('/night', ...guards);
  routes.use('/changes', ...guards);
  for (const path of ['/initiatives', '/initiatives/*', '/budgets', '/ai-spend']) routes.use(path, ...guards);
  routes.use('/sign-in', ...guards);
  routes.use('/sign-out', ...guards);
  routes.use('/snapshots/*', ...guards);
  routes.route('/', signInRoutes(parts));
  routes.route('/', proveRoutes(parts));
  routes.route('/', moneyRoutes(parts, overviews));
  routes.route('/', rowRoutes({ ...parts, rowLimit }));
  routes.route('/', movesRoutes({ ...parts, rowLimit }, moves));

  /** The figures of a snapshot as a part of the page; a sentence instead if its files cannot be read now. */
  async function shownOf(
    c: Context<ServeEnv>,
    snapshot: ReadableSnapshot,
    listed: readonly ReadableSnapshot[],
    asked: OverviewQuery,
  ): Promise<{ readonly bar: Html; readonly figures: Html }> {
    const account_id = accountOf(c);
    try {
      const before = oneBefore(snapshot.snapshot_id, listed) ?? null;
      const overview = await overviews(account_id, snapshot, before, (error) =>
        c.var.logger.warn('moves.unread', { snapshot: snapshot.snapshot_id, ...errorFields(error) }),
      );
      const checks = checksPassed(await auditOf(c, snapshots, snapshot));
      return {
        bar: snapshotBar({ overview, listed, checks, root: '', action: './' }),
        figures: overviewBody({ overview, ...asked }),
      };
    } catch (error) {
      if (!isCrossfootError(error)) throw error;
      c.var.logger.warn('figures.unread', { snapshot: snapshot.snapshot_id, ...errorFields(error) });
      return { bar: html``, figures: unreadFigures(snapshot, error.message) };
    }
  }

  const answer = async (c: Context<ServeEnv>, page: { title: string; root: string; here: Way; body: Html }) =>
    c.html(await framedPage({ ...page, form_token: formTokenFor(c, parts) }));

  routes.get('/', acceptParameters(['snapshot', 'by', 'window', REQUESTED]), async (c) => {
    const sent = c.req.query(REQUESTED);
    const requested = sent === undefined ? requestedAddress(c) : ownAddress(sent);
    if (!(await acceptSession(c, parts))) return c.html(await signInPage(null, requested));
    // The reader has signed in meanwhile, for example in another tab.
    if (sent !== undefined) return redirectWithin(c, `./${requested ?? ''}`, 303);
    const account_id = accountOf(c);
    const asked = readOverviewQuery(c.req.query());
    const [listed, lastNight] = await Promise.all([snapshots.list(account_id), lastNightOf(c, parts)]);
    const audited = await Promise.all(
      listed.map(async (snapshot) => ({ snapshot, audit: await auditOf(c, snapshots, snapshot) })),
    );
    const snapshot = asked.snapshot === null ? listed[0] : await pinned(parts, c, asked.snapshot);
    const shown = snapshot === undefined ? null : await shownOf(c, snapshot, listed, asked);
    const body = snapshotsBody({ snapshots: audited, lastNight, shown, now: now() });
    return await answer(c, { title: 'Overview', root: '', here: '', body });
  });
  routes.get('/night', requireSession(parts, './'), acceptNoParameters, async (c) => {
    const account_id = accountOf(c);
    const [nights, latest, listed, versions, around] = await Promise.all([
      parts.ownNights(account_id),
      unlessUnread(c, () => snapshots.latest(account_id), null),
      unlessUnread(c, () => snapshots.list(account_id), []),
      unlessUnread(c, () => snapshots.versions(account_id), []),
      parts.nightSurroundings(account_id),
    ]);
    const first_id = versions[0]?.snapshot_id ?? null;
    const body = nightBody(nights, { latest, listed, first_id }, around, now());
    return await answer(c, { title: "Tonight's run", root: '', here: 'night', body });
  });
  routes.get('/snapshots/:snapshot_id', requireSession(parts, '../'), acceptNoParameters, async (c) => {
    const snapshot = await pinned(parts, c, c.req.param('snapshot_id'));
    const listed = await snapshots.list(accountOf(c));
    const audit = await auditOf(c, snapshots, snapshot);
    const shown = { account_id: accountOf(c), snapshot, audit, listed, baseUrl: baseUrl(), now: now() };
    const title = `Snapshot ${snapshot.snapshot_id}`;
    return await answer(c, { title, root: '../', here: '', body: snapshotBody(shown) });
  });
  return routes;
}

/** The account's last night; none if the queue cannot be read now: the page then shows the snapshots alone. */
async function lastNightOf(c: Context<ServeEnv>, { ownNights }: PageParts): Promise<OwnNight | undefined> {
  try {
    return (await ownNights(accountOf(c)))[0];
  } catch (error) {
    c.var.logger.warn('nights.unread', errorFields(error));
    return undefined;
  }
}

/** What is read of snapshots; `nothing` if they cannot be read now: the page then shows the nights alone. */
async function unlessUnread<Read>(
  c: Context<ServeEnv>,
  read: () => Promise<Read>,
  nothing: Read,
): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (!isCrossfootError(error)) throw error;
    c.var.logger.warn('totals.unread', errorFields(error));
    return nothing;
  }
}

/** Lets no cache store an account's pages: the next person at the same browser must not see them. */
const withoutCaching = createMiddleware(async (c, next) => {
  await next();
  c.header('cache-control', 'no-store');
});

/** Errors as pages, with the messages of the API. */
function answerRefusal(parts: SignInParts) {
  return async (error: Error, c: Context<ServeEnv>): Promise<Response> => {
    const { status, message } = refusalOfError(error);
    if (status >= 500) c.var.logger.error('request.failed', errorFields(error));
    const root = '../'.repeat(c.req.path.split('/').length - 2);
    return new Response(await refusalPage(root, message, formTokenFor(c, parts)), {
      status,
      headers: [['content-type', 'text/html; charset=utf-8'], ...retryAfter(status)],
    });
  };
}
