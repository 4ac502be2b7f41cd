/** The page of what is connected to an account, with a button that ends each, and the route of that button. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { CrossfootError } from '../../errors.ts';
import type { Connection } from '../../ops/assistant-connections.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { accountRouter } from '../frame/account-router.ts';
import { definePage } from '../frame/define-page.ts';
import { readOwnForm } from '../frame/own-form.ts';
import { FORM_TOKEN } from '../frame/page-frame.ts';
import { pageTable } from '../frame/page-table.ts';
import { shownMoment } from '../frame/shown-values.ts';
import { formTokenFor, requireFormToken, requireSession } from '../frame/signed-in.ts';
import type { Html } from '../frame/site-layout.ts';
import { redirectWithin } from '../http/header-values.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { CONNECTIONS_PATH } from './addresses.ts';
import { type ConsentParts, requirePersonal } from './consent-page.ts';
import { placeOf } from './redirect-address.ts';

const END = 'end';

/** The page. */
export const connectionsPage = definePage({
  path: CONNECTIONS_PATH,
  access: 'sign-in',
  title: 'Connected assistants',
  here: null,
  query: [],
  says: 'What is connected to the account by signing in, and a button that ends each; for personal tokens.',
  body:
    (parts: ConsentParts) =>
    async ({ c }) => {
      requirePersonal(c);
      const connections = await parts.signIn.connections.list(c.var.principal.account_id);
      const form_token = formTokenFor(c, parts) ?? '';
      return {
        body: html`<h1>Connected assistants</h1>
          <p class="lead">
            Programs that an owner or admin allowed to ask the assistant by signing in. They can change
            nothing.
          </p>
          ${
            connections.length === 0
              ? html`<p class="note">
                  No program is connected. <a href="docs/assistant">The documentation tells how</a>.
                </p>`
              : pageTable(
                  'Connected assistants',
                  ['Program', 'Answers go to', 'Allowed by', 'Since', 'Last asked', 'End'],
                  connections.map((connection) => row(connection, form_token)),
                )
          }`,
      };
    },
});

function row(
  { id, name, redirect_uri, user_id, consented_at, used_at }: Connection,
  form_token: string,
): Html {
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${placeOf(redirect_uri)}</td>
    <td>person ${String(user_id)}</td>
    <td>${shownMoment(consented_at)}</td>
    <td>${shownMoment(used_at)}</td>
    <td>
      <form method="post" action="${CONNECTIONS_PATH.slice(1)}">
        <input type="hidden" name="${FORM_TOKEN}" value="${form_token}" />
        <button name="${END}" value="${String(id)}" aria-label="End ${name}, ${String(id)}">End</button>
      </form>
    </td>
  </tr>`;
}

/** The route of the buttons. */
export function connectionsRoute(parts: ConsentParts): Hono<ServeEnv> {
  const routes = accountRouter(parts, [CONNECTIONS_PATH]);
  routes.post(CONNECTIONS_PATH, acceptNoParameters, requireSession(parts), async (c) => {
    const form = await readOwnForm(c, parts.baseUrl());
    requireFormToken(c, form, parts);
    requirePersonal(c);
    const id = form.get(END) ?? '';
    const { account_id } = c.var.principal;
    if (!/^\d{1,18}$/.test(id) || !(await parts.signIn.connections.end(account_id, BigInt(id)))) {
      throw new CrossfootError('not_found', 'This program is not connected any more.');
    }
    return redirectWithin(c, `.${CONNECTIONS_PATH}`, 303);
  });
  return routes;
}
