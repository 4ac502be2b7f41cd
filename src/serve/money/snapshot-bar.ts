/** The bar at the top of a page of figures: which snapshot it shows, and a form that chooses another. */
import { html } from 'hono/html';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { snapshotChoice } from '../frame/snapshot-options.ts';
import type { Html } from '../frame/site-layout.ts';
import type { DescribedSnapshot } from './overview.ts';

interface Bar {
  readonly described: Pick<DescribedSnapshot, 'account_name' | 'snapshot'>;
  readonly listed: readonly ReadableSnapshot[];
  /** How many of its checks passed, as text. */
  readonly checks: string;
  /** The relative path from the page to the top. */
  readonly root: string;
  /** The page's own address, to which the form leads. */
  readonly action: string;
  /** Its other parameters, which the same page of another snapshot keeps. */
  readonly kept?: readonly (readonly [name: string, value: string])[];
}

export function snapshotBar({ described, listed, checks, root, action, kept = [] }: Bar): Html {
  const { snapshot_id } = described.snapshot;
  return html`<form class="snapshot-bar" method="get" action="${action}">
    <b>${described.account_name}</b>
    <span>snapshot <b data-copy="the snapshot id">${snapshot_id}</b></span>
    <span>in US dollars</span>
    <a href="${root}snapshots/${snapshot_id}#audit">${checks} checks passed</a>
    ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}${snapshotChoice({ listed, chosen: snapshot_id })}
  </form>`;
}
