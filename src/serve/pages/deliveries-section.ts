/** The newest delivery to each target of the account, on the page of nights. */
import { html } from 'hono/html';
import { shownCount } from '../../format.ts';
import { pageTable } from '../frame/page-table.ts';
import type { OwnDelivery } from './own-nights.ts';

const STATES: ReadonlyMap<string, string> = new Map([
  ['pending', 'on its way'],
  ['delivered', 'delivered'],
  ['failed', 'failed, with no retry left'],
  ['withdrawn', 'not delivered: retracted or deleted before'],
]);

/** Nothing for an account without targets. */
export function deliveriesSection(deliveries: readonly OwnDelivery[]) {
  if (deliveries.length === 0) return '';
  return html`<h2 id="deliveries">Deliveries</h2>
    ${pageTable(
      'The newest delivery to each target',
      ['Target', 'Snapshot', 'State', 'Tries', 'Trouble'],
      deliveries.map(
        ({ target_id, snapshot_id, state, tries, fault }) =>
          html`<tr>
            <th scope="row">${String(target_id)}</th>
            <td data-column="Snapshot">${snapshot_id}</td>
            <td data-column="State">
              <strong class="${kindOf(state, fault)}">${STATES.get(state) ?? state}</strong>
            </td>
            <td data-column="Tries">${shownCount(tries)}</td>
            <td data-column="Trouble">${fault ?? ''}</td>
          </tr>`,
      ),
    )}`;
}

function kindOf(state: string, fault: string | null): string {
  if (state === 'failed' || fault !== null) return 'bad';
  return state === 'delivered' ? 'good' : '';
}
