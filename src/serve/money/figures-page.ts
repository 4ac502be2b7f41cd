/** What the pages of cost and value share: the figures of one snapshot below a bar that chooses another. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { errorFields } from '../../log.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import type { Asked, Shown } from '../frame/define-page.ts';
import type { Html } from '../frame/site-layout.ts';
import { snapshotFiles, type SnapshotFiles } from '../live/snapshot-files.ts';
import { auditOf } from '../pages/audit-of.ts';
import { oneBefore } from '../pages/snapshot-page.ts';
import { checksPassed } from '../pages/snapshots-page.ts';
import { standingNotes } from '../pages/standing-notes.ts';
import { accountOf, latest, pinned, type ReportingParts } from '../reporting/chosen-snapshot.ts';
import type { Overview, Overviews } from './overview.ts';
import { type RowLinks, rowLinks } from './row-links.ts';
import { snapshotBar } from './snapshot-bar.ts';

export interface FiguresParts extends ReportingParts {
  readonly overviews: Overviews;
}

/** The page of the asked snapshot, else of the newest. `action` is the page's own address, relative to itself. */
export async function showFigures(
  parts: FiguresParts,
  { c, root }: Asked,
  action: string,
  content: (overview: Overview, files: SnapshotFiles, links: RowLinks) => Promise<Html> | Html,
): Promise<Shown> {
  const { snapshots } = parts;
  const account_id = accountOf(c);
  const asked = c.req.query('snapshot');
  const [listed, snapshot] = await Promise.all([
    snapshots.list(account_id),
    asked === undefined ? latest(parts, c) : pinned(parts, c, asked),
  ]);
  const overview = await overviewOf(c, parts, snapshot, listed);
  const links = rowLinks(root, snapshot.snapshot_id);
  const figures = await content(overview, snapshotFiles(snapshots, account_id, snapshot), links);
  const checks = checksPassed(await auditOf(c, snapshots, snapshot));
  return {
    body: html`${snapshotBar({ overview, listed, checks, root, action })}
    ${standingNotes(snapshot, `${root}snapshots/`)} ${figures}`,
  };
}

/** The figures of the snapshot, with what moved since the one before if that can be read now. */
export async function overviewOf(
  c: Context<ServeEnv>,
  { overviews }: FiguresParts,
  snapshot: ReadableSnapshot,
  listed: readonly ReadableSnapshot[],
): Promise<Overview> {
  const before = oneBefore(snapshot.snapshot_id, listed) ?? null;
  return await overviews(accountOf(c), snapshot, before, (error) =>
    c.var.logger.warn('moves.unread', { snapshot: snapshot.snapshot_id, ...errorFields(error) }),
  );
}
