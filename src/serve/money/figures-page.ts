/** What the pages of cost and value share: the figures of one snapshot below a bar that chooses another, and lists as files. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { setImmediate } from 'node:timers/promises';
import { errorFields } from '../../log.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { CENT_DIGITS, decimalText } from '../../snapshot/read/sheet-cells.ts';
import { headLine, textCell } from '../../snapshot/read/table-csv.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import {
  type Address,
  type Asked,
  defineAddress,
  definePage,
  type Framed,
  type Names,
  type Page,
  type ShownPage,
} from '../frame/define-page.ts';
import { attachment } from '../http/header-values.ts';
import { snapshotFiles, type SnapshotFiles } from '../live/snapshot-files.ts';
import { auditOf, checksPassed } from '../pages/audit-of.ts';
import { oneBefore } from '../pages/snapshot-page.ts';
import { standingNotes } from '../pages/standing-notes.ts';
import { accountOf, latest, type ReportingParts, requireSnapshot } from '../reporting/chosen-snapshot.ts';
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
        const { listed, figures } = await readFigures(parts, asked);
        const { snapshot, account_name } = figures.described;
        const shown = await content(figures);
        await setImmediate(); // between the text of the figures and that of the frame
        const checks = checksPassed(await auditOf(c, parts.snapshots, snapshot));
        // The page's own address, relative to itself.
        const action = c.req.path.slice(c.req.path.lastIndexOf('/') + 1);
        const kept = Object.entries(c.req.query()).filter(([name]) => !['snapshot', 'page'].includes(name));
        const choice = { listed, action, kept };
        const body = html`${snapshotBar({ account_name, snapshot, checks, root, amounts: declared.amounts, choice })}
        ${standingNotes(snapshot, `${root}snapshots/`)} ${shown.body}`;
        const chosen = c.req.query('snapshot');
        return { ...shown, body, ...(chosen !== undefined && { snapshot: chosen }) };
      };
    },
  });
}

/** The figures of the snapshot that a request names, else of the newest; all snapshots that can be read, newest first. */
async function readFigures(
  parts: FiguresParts,
  { c, root }: Pick<Asked, 'c' | 'root'>,
): Promise<{ readonly figures: Figures; readonly listed: readonly ReadableSnapshot[] }> {
  const { snapshots, overviews } = parts;
  const account_id = accountOf(c);
  const chosen = c.req.query('snapshot');
  const [listed, snapshot] = await Promise.all([
    snapshots.list(account_id),
    chosen === undefined ? latest(parts, c) : requireSnapshot(parts, c, chosen),
  ]);
  const comparing = comparingIn(c, snapshot, listed);
  const figures = {
    described: await overviews.described(account_id, snapshot),
    comparing,
    overview: () => overviews.read(...comparing),
    links: rowLinks(root, snapshot.snapshot_id),
    files: snapshotFiles(snapshots, account_id, snapshot),
  };
  return { figures, listed };
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

/** A text, an amount in cents, a ratio, or nothing. */
type Cell = string | bigint | number | null;

/** A list of a page as CSV for spreadsheets: every line that was found, in the order of the page, with the figures of the page. */
interface ListFile {
  /** What the lines are, for the name of the file, which also names the snapshot. */
  readonly name: string;
  readonly heads: readonly string[];
  readonly lines: readonly (readonly Cell[])[];
}

/** Declares the file of a list, which the page links. `content` reads the request before any file. */
export function defineListFile<const Path extends string, Parts extends FiguresParts>(
  declared: Omit<Address<Path>, 'access'> & {
    readonly content: (
      parts: Parts,
    ) => (asked: Omit<Asked<Names<Path>>, 'frame'>) => (figures: Figures) => Promise<ListFile> | ListFile;
  },
): Page<Parts> {
  return defineAddress({
    ...declared,
    answer: (parts: Parts) => {
      const contentOf = declared.content(parts);
      return async (asked) => {
        const content = contentOf(asked);
        const { figures } = await readFigures(parts, asked);
        const list = await content(figures);
        const { snapshot_id } = figures.described.snapshot;
        return new Response(listCsv(list, snapshot_id), {
          headers: {
            ...attachment(`${list.name}-${snapshot_id}-spreadsheet.csv`),
            'cache-control': 'no-store',
            'content-type': 'text/csv; charset=utf-8; header=present',
          },
        });
      };
    },
  });
}

/** Each line names the snapshot, because a spreadsheet has no name of a file when lines were copied into it. */
function listCsv({ heads, lines }: ListFile, snapshot_id: string): string {
  const texts = lines.map((cells) => `${[...cells, snapshot_id].map(cellText).join(',')}\r\n`);
  return headLine([...heads, 'Snapshot'], true) + texts.join('');
}

function cellText(cell: Cell): string {
  if (typeof cell === 'bigint') return decimalText(cell, CENT_DIGITS);
  return typeof cell === 'string' ? textCell(cell, true) : String(cell ?? '');
}
