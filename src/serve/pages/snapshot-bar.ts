/** The bar at the top of every page of an account: whose figures, of which snapshot and moment, in which currency, how checked. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { isCrossfootError } from '../../errors.ts';
import { utcDay } from '../../figures/calendar.ts';
import { errorFields } from '../../log.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { cellAt } from '../../snapshot/read/rows.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { tableNamed } from '../../tables/all.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { shownDay } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import { snapshotChoice } from '../frame/snapshot-options.ts';
import { auditOf, checksPassed } from './audit-of.ts';

/** The form that shows the same page of another snapshot. */
interface Choice {
  readonly listed: readonly ReadableSnapshot[];
  /** The page's own address, to which the form leads. */
  readonly action: string;
  /** Its other parameters, which the same page of another snapshot keeps. */
  readonly kept?: readonly (readonly [name: string, value: string])[];
}

interface Place {
  /** The relative path from the page to the top. */
  readonly root: string;
  /** In which currency the page has amounts: dollars if omitted. */
  readonly amounts?: string | undefined;
  /** Null for a page that has no address for another snapshot. */
  readonly choice: Choice | null;
}

interface Bar extends Place {
  readonly account_name: string;
  readonly snapshot: Pick<ReadableSnapshot, 'snapshot_id' | 'generated_at'>;
  /** How many of its checks passed, as text. */
  readonly checks: string;
}

export function snapshotBar({ account_name, snapshot, checks, root, amounts, choice }: Bar): Html {
  const { snapshot_id, generated_at } = snapshot;
  const facts = html`<b>${account_name}</b>
    <span>snapshot <b data-copy="the snapshot id">${snapshot_id}</b></span>
    <span>as of ${shownDay(utcDay(generated_at))}</span>
    <span>${amounts ?? 'in US dollars'}</span>
    <a href="${root}snapshots/${snapshot_id}#audit">${checks} checks passed</a>`;
  if (choice === null) return html`<div class="snapshot-bar">${facts}</div>`;
  const { listed, action, kept = [] } = choice;
  return html`<form class="snapshot-bar" method="get" action="${action}">
    ${facts}
    ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}${snapshotChoice({ listed, chosen: snapshot_id })}
  </form>`;
}

/** Makes the bar of a page that reads no figures of the snapshot itself. */
export type ContextBar = (c: Context<ServeEnv>, snapshot: ReadableSnapshot, place: Place) => Promise<Html>;

export interface BarParts {
  readonly contextBar: ContextBar;
}

const NAME_BYTES = 256;

/** Names of accounts, cached by the digest of the table that has them; the number of the account if it cannot be read now. */
export function createContextBar(snapshots: SnapshotReader): ContextBar {
  const names = new Cache<string, string>({
    max_bytes: MEMORY_BUDGET.names,
    bytesOf: () => NAME_BYTES,
  });
  const nameOf = async (c: Context<ServeEnv>, { snapshot_id, tables }: ReadableSnapshot): Promise<string> => {
    const { account_id } = c.var.principal;
    const stored = tables.find(({ name }) => name === 'snapshot');
    if (stored === undefined) return `Account ${account_id}`;
    try {
      return await names.get(`${account_id} ${stored.sha256}`, async () => {
        const rows = await snapshots.openRows(account_id, snapshot_id, tableNamed('snapshot'));
        let found = `Account ${account_id}`;
        for await (const piece of rows.read(['account_name'])) {
          if (piece.rows > 0) found = cellAt(piece.columns[0], 0);
        }
        return found;
      });
    } catch (error) {
      if (!isCrossfootError(error)) throw error;
      c.var.logger.warn('titles.unread', { snapshot: snapshot_id, ...errorFields(error) });
      return `Account ${account_id}`;
    }
  };
  return async (c, snapshot, place) => {
    const [account_name, audit] = await Promise.all([nameOf(c, snapshot), auditOf(c, snapshots, snapshot)]);
    return snapshotBar({ account_name, snapshot, checks: checksPassed(audit), ...place });
  };
}

/** The bar of a page that is live: it names the newest snapshot, which the page is not of. */
export async function liveBar(
  { contextBar }: BarParts,
  c: Context<ServeEnv>,
  latest: ReadableSnapshot | null,
): Promise<Html> {
  const live = 'the newest; this page is live';
  if (latest !== null) return await contextBar(c, latest, { root: '', amounts: live, choice: null });
  return html`<div class="snapshot-bar">
    <b>Account ${c.var.principal.account_id}</b>
    <span>no snapshot yet: this page is live</span>
  </div>`;
}
