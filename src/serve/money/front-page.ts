/** The first page of an account: what its newest or the asked snapshot says, and every snapshot that may be read. */
import type { Context } from 'hono';
import { isCrossfootError } from '../../errors.ts';
import { errorFields } from '../../log.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { definePage } from '../frame/define-page.ts';
import type { Html } from '../frame/site-layout.ts';
import { auditOf, checksPassed } from '../pages/audit-of.ts';
import type { NightParts, OwnNight } from '../pages/own-nights.ts';
import { snapshotsBody } from '../pages/snapshots-page.ts';
import { snapshotBar } from '../pages/snapshot-bar.ts';
import { accountOf, requireSnapshot } from '../reporting/chosen-snapshot.ts';
import { type FiguresParts, overviewOf } from './figures-page.ts';
import { overviewBody, unreadFigures } from './overview-page.ts';
import { type OverviewQuery, readOverviewQuery } from './overview-query.ts';

export const frontPage = definePage({
  path: '/',
  title: 'Overview',
  here: '',
  access: 'sign-in',
  query: ['snapshot', 'by', 'window'],
  says: 'What was spent, what came back and what moved, in one snapshot (`?snapshot=`, else the newest); all snapshots.',
  body:
    (parts: FiguresParts & NightParts) =>
    async ({ c }) => {
      const { snapshots, now } = parts;
      const account_id = accountOf(c);
      const asked = readOverviewQuery(c.req.query());
      const [listed, lastNight] = await Promise.all([snapshots.list(account_id), lastNightOf(c, parts)]);
      const audited = await Promise.all(
        listed.map(async (snapshot) => ({ snapshot, audit: await auditOf(c, snapshots, snapshot) })),
      );
      const snapshot = asked.snapshot === null ? listed[0] : await requireSnapshot(parts, c, asked.snapshot);
      const shown = snapshot === undefined ? null : await figuresOf(c, parts, snapshot, listed, asked);
      const body = snapshotsBody({ snapshots: audited, lastNight, shown, now: now() });
      return { body, ...(asked.snapshot !== null && { snapshot: asked.snapshot }) };
    },
});

/** The figures of a snapshot as a part of the page; a sentence instead if its files cannot be read now. */
async function figuresOf(
  c: Context<ServeEnv>,
  parts: FiguresParts,
  snapshot: ReadableSnapshot,
  listed: readonly ReadableSnapshot[],
  asked: OverviewQuery,
): Promise<{ readonly snapshot_id: string; readonly bar: Html; readonly figures: Html }> {
  const { snapshot_id } = snapshot;
  const place = { root: '', choice: { listed, action: './' } };
  try {
    const overview = await overviewOf(c, parts, snapshot, listed);
    const checks = checksPassed(await auditOf(c, parts.snapshots, snapshot));
    return {
      snapshot_id,
      bar: snapshotBar({ account_name: overview.account_name, snapshot, checks, ...place }),
      figures: await overviewBody({ account_id: accountOf(c), overview, ...asked }),
    };
  } catch (error) {
    if (!isCrossfootError(error)) throw error;
    c.var.logger.warn('figures.unread', { snapshot: snapshot_id, ...errorFields(error) });
    return {
      snapshot_id,
      bar: await parts.contextBar(c, snapshot, place),
      figures: unreadFigures(snapshot, error.message),
    };
  }
}

/** The account's last night; none if the queue cannot be read now: the page then shows the snapshots alone. */
async function lastNightOf(c: Context<ServeEnv>, { ownNights }: NightParts): Promise<OwnNight | undefined> {
  try {
    return (await ownNights(accountOf(c)))[0];
  } catch (error) {
    c.var.logger.warn('nights.unread', errorFields(error));
    return undefined;
  }
}
