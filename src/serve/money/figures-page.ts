/** What the pages of cost and value share: the figures of one snapshot below a bar that chooses another. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { setImmediate } from 'node:timers/promises';
import { errorFields } from '../../log.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import {
  type Asked,
  definePage,
  type Framed,
  type Names,
  type Page,
  type ShownPage,
} from '../frame/define-page.ts';
import { snapshotFiles, type SnapshotFiles } from '../live/snapshot-files.ts';
import { auditOf, checksPassed } from '../pages/audit-of.ts';
import { oneBefore } from '../pages/snapshot-page.ts';
import { standingNotes } from '../pages/standing-notes.ts';
import { accountOf, latest, pinned, type ReportingParts } from '../reporting/chosen-snapshot.ts';
import type { DescribedSnapshot, Overview, Overviews } from './overview.ts';
import { type RowLinks, rowLinks } from './row-links.ts';
import { type BarParts, snapshotBar } from '../pages/snapshot-bar.ts';

export interface FiguresParts extends ReportingParts, BarParts {
  readonly overviews: Overviews;
}

interface Figures {
  readonly described: DescribedSnapshot;
  /** Reads totals and months: a page that shows none does not wait for them. */
  readonly overview: () => Promise<Overview>;
  /** The snapshot and the one before. */
  readonly comparing: Comparing;
  readonly files: SnapshotFiles;
  readonly links: RowLinks;
}

/** Declares a page of the figures of one snapshot, the asked one or else the newest. `content` reads the request before any file. */
export function defineFigures<const Path extends string, Parts extends FiguresParts>(
  declared: Omit<Framed<Path>, 'access'> & {
    /** In which currency it has amounts: dollars if omitted. */
    readonly amounts?: string;
    readonly content: (
      parts: Parts,
    ) => (asked: Asked<Names<Path>>) => (figures: Figures) => Promise<ShownPage> | ShownPage;
  },
): Page<Parts> {
  return definePage({
    ...declared,
    access: 'sign-in',
    body: (parts: Parts) => {
      const contentOf = declared.content(parts);
      return async (asked: Asked<Names<Path>>) => {
        const { c, root } = asked;
        const content = contentOf(asked);
        const { snapshots } = parts;
        const account_id = accountOf(c);
        const chosen = c.req.query('snapshot');
        const [listed, snapshot] = await Promise.all([
          snapshots.list(account_id),
          chosen === undefined ? latest(parts, c) : pinned(parts, c, chosen),
        ]);
        const described = await parts.overviews.described(account_id, snapshot);
        const comparing = comparingIn(c, snapshot, listed);
        const overview = () => parts.overviews.read(...comparing);
        const links = rowLinks(root, snapshot.snapshot_id);
        const files = snapshotFiles(snapshots, account_id, snapshot);
        const shown = await content({ described, comparing, overview, files, links });
        await setImmediate(); // between the text of the figures and that of the frame
        const checks = checksPassed(await auditOf(c, snapshots, snapshot));
        // The page's own address, relative to itself.
        const action = c.req.path.slice(c.req.path.lastIndexOf('/') + 1);
        const kept = Object.entries(c.req.query()).filter(([name]) => !['snapshot', 'page'].includes(name));
        const { account_name } = described;
        const choice = { listed, action, kept };
        const body = html`${snapshotBar({ account_name, snapshot, checks, root, amounts: declared.amounts, choice })}
        ${standingNotes(snapshot, `${root}snapshots/`)} ${shown.body}`;
        return { ...shown, body };
      };
    },
  });
}

type Comparing = Parameters<Overviews['read']>;

/** The figures of the snapshot, with what moved since the one before if that can be read now. */
export async function overviewOf(
  c: Context<ServeEnv>,
  { overviews }: FiguresParts,
  snapshot: ReadableSnapshot,
  listed: readonly ReadableSnapshot[],
): Promise<Overview> {
  return await overviews.read(...comparingIn(c, snapshot, listed));
}

function comparingIn(
  c: Context<ServeEnv>,
  snapshot: ReadableSnapshot,
  listed: readonly ReadableSnapshot[],
): Comparing {
  const before = oneBefore(snapshot.snapshot_id, listed) ?? null;
  const onUncompared = (error: unknown): void =>
    c.var.logger.warn('moves.unread', { snapshot: snapshot.snapshot_id, ...errorFields(error) });
  return [accountOf(c), snapshot, before, onUncompared];
}
