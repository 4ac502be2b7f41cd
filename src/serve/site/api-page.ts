/** The reference of the API as HTML, made from the contract: an overview, and a page for each group of routes. */
import { setImmediate } from 'node:timers/promises';
import { html, raw } from 'hono/html';
import { articleHtml, anchorOf } from './article-html.ts';
import { pageTable } from '../frame/page-table.ts';
import { inSteps } from './in-steps.ts';
import type { ShownPage } from '../frame/define-page.ts';
import type { Html } from '../frame/site-layout.ts';
import { withCode } from '../frame/with-code.ts';
import { type ApiSchema, type Schemas, shapeRows, shownMeaning, shownType } from '../contract/api-shape.ts';
import type { ApiDocument } from '../contract/document.ts';
import { EXAMPLE_ORIGIN } from '../contract/examples.ts';

type Operation = NonNullable<NonNullable<ApiDocument['paths']>[string]['get']>;

interface Route {
  /** Below the public address of the API. */
  readonly path: string;
  readonly operation: Operation;
  /** The anchor on the page of its group. */
  readonly anchor: string;
}

interface Group {
  /** The name in the address. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly routes: readonly Route[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: ApiSchema;
  readonly example?: string | number;
}

export const TITLE = 'API reference';
const STYLES = ['docs/site.css', 'docs/api/page.css'];

/** The name of a group in addresses. */
export function groupSlug({ name }: { readonly name: string }): string {
  return name.toLowerCase();
}

/** The groups of the contract, in its order. */
function groupsOf({ tags = [], paths = {} }: ApiDocument): readonly Group[] {
  const routes = Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined ? [] : [{ path, operation: get, anchor: anchorOf(get.operationId ?? path) }],
  );
  return tags.map(({ name, description = '' }) => ({
    slug: groupSlug({ name }),
    name,
    description,
    routes: routes.filter(({ operation }) => operation.tags?.includes(name) === true),
  }));
}

/** The page of all routes, with what holds for each of them. */
export async function apiOverview(document: ApiDocument): Promise<ShownPage> {
  const groups = groupsOf(document);
  const introduction = await articleHtml(document.info.description ?? '');
  const body = html`<h1>${TITLE}</h1>
    ${raw(introduction)}
    <p>The same for programs: <a href="../v1/openapi.json">openapi.json</a>.</p>
    ${groups.map(
      ({ slug, name, description, routes }) =>
        html`<h2 id="${slug}"><a href="api/${slug}">${name}</a></h2>
          <p>${description}</p>
          ${pageTable(
            name,
            ['Route', 'What it answers'],
            inSteps(
              routes,
              ({ path, anchor, operation }) =>
                html`<tr>
                  <th scope="row">
                    <a href="api/${slug}#${anchor}"><code>${path}</code></a>
                  </th>
                  <td class="words">${operation.summary}</td>
                </tr>`,
            ),
          )}`,
    )}`;
  return { body, styles: STYLES };
}

/** The page of a group: every route with its parameters and fields, and an example beside them. */
export async function apiGroupPage(document: ApiDocument, slug: string): Promise<ShownPage> {
  const groups = groupsOf(document);
  const group = groups.find((each) => each.slug === slug);
  if (group === undefined) throw new RangeError(`the contract has no group ${slug}`);
  // The document was made as JSON, so its schemas have this shape.
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  const address = document.servers?.[0]?.url ?? '';
  const sections: Html[] = [];
  for (const route of group.routes) {
    sections.push(routeSection(route, address, schemas));
    await setImmediate(); // all sections of a group take 30 ms at their first request
  }
  const body = html`<div class="reference">
    ${routeList(groups, group)}
    <div>
      <h1>${group.name}</h1>
      <p class="lead">${group.description}</p>
      ${sections}
    </div>
  </div>`;
  return { title: `${group.name} · ${TITLE}`, body, styles: STYLES };
}

/** The groups; below the shown one its routes. */
function routeList(groups: readonly Group[], shown: Group): Html {
  return html`<nav class="routes" aria-label="${TITLE}">
    <a href="../api">${TITLE}</a>
    <ul>
      ${groups.map(
        (group) =>
          html`<li>
            <a href="${group.slug}" ${group === shown ? raw('aria-current="page"') : ''}>${group.name}</a>
            ${
              group === shown
                ? html`<ul>
                    ${group.routes.map(
                      ({ path, anchor }) => html`<li><a href="#${anchor}">${withBreaks(path)}</a></li>`,
                    )}
                  </ul>`
                : ''
            }
          </li>`,
      )}
    </ul>
  </nav>`;
}

function routeSection(route: Route, address: string, schemas: Schemas): Html {
  const { path, operation, anchor } = route;
  // Our parameters are declared at their route, never by reference.
  const parameters = (operation.parameters ?? []) as readonly Parameter[];
  const content = contentOf(operation.responses?.['200']);
  const fields = content?.schema === undefined ? [] : shapeRows(content.schema, schemas);
  return html`<section id="${anchor}">
    <div>
      <h2><a href="#${anchor}">GET ${withBreaks(path)}</a></h2>
      <p>${withCode(operation.summary ?? '')} ${isPublic(operation) ? 'It needs no token.' : ''}</p>
      ${parameters.length === 0 ? '' : namedList('Parameters', parameters.map(parameterRow))}
      ${fields.length === 0 ? '' : namedList('Fields', fields)} ${refusals(operation)}
    </div>
    <div class="examples">
      <h3>Example</h3>
      <pre tabindex="0"><code>${curlOf(route, parameters, address)}</code></pre>
      ${
        content?.example === undefined
          ? html`<p>Answers with <code>${content?.type}</code>.</p>`
          : html`<pre tabindex="0"><code>${exampleOf(content.example, address)}</code></pre>`
      }
    </div>
  </section>`;
}

/** Names with their types, and the meaning below: a narrow column needs no scrolling. */
function namedList(title: string, rows: readonly (readonly string[])[]): Html {
  return html`<h3>${title}</h3>
    <dl class="fields">
      ${rows.map(
        ([name = '', type = '', meaning = '']) =>
          html`<div>
            <dt>${withCode(name)} <span class="quiet">${type}</span></dt>
            <dd>${withCode(meaning)}</dd>
          </div>`,
      )}
    </dl>`;
}

const LOCATIONS: Readonly<Record<string, string>> = { path: ' Part of the path.', header: ' A header.' };

function parameterRow({ name, in: location, schema, description = '' }: Parameter): readonly string[] {
  const meaning = shownMeaning({ description, ...schema });
  return [`\`${name}\``, shownType(schema), `${meaning}${LOCATIONS[location] ?? ''}`];
}

/** The refusals that only this route declares; the refusals of every route are in the overview. */
function refusals({ responses = {} }: Operation): Html | '' {
  const own = Object.entries(responses).flatMap(([status, answer]) =>
    status.startsWith('4') && 'description' in answer ? [[status, answer.description] as const] : [],
  );
  if (own.length === 0) return '';
  return html`<h3>Refusals</h3>
    <ul>
      ${own.map(([status, why]) => html`<li><code>${status}</code> ${withCode(why)}</li>`)}
    </ul>`;
}

/** The answer, with the address of this server in its links. */
function exampleOf(example: unknown, address: string): string {
  return JSON.stringify(example, null, 2).replaceAll(EXAMPLE_ORIGIN, address.replace(/\/v1$/, ''));
}

/** The request as a shell command, with the examples of the parameters in the path. */
function curlOf({ path, operation }: Route, parameters: readonly Parameter[], address: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => {
    const found = parameters.find((each) => each.in === 'path' && each.name === name);
    return found?.example === undefined ? parameter : String(found.example);
  });
  const token = isPublic(operation) ? '' : ' \\\n  -H "authorization: Bearer $TOKEN"';
  return `curl ${address}${filled}${token}`;
}

function isPublic({ security = [] }: Operation): boolean {
  return security.length === 0;
}

interface Content {
  readonly type: string;
  readonly schema?: ApiSchema;
  readonly example?: unknown;
}

/** The first media type of an answer; null if it has no body. */
function contentOf(answer: unknown): Content | null {
  const { content = {} } = (answer ?? {}) as { content?: Readonly<Record<string, Omit<Content, 'type'>>> };
  const [first] = Object.entries(content);
  return first === undefined ? null : { type: first[0], ...(first[0] === 'application/json' && first[1]) };
}

/** A path that may be broken after each slash. */
function withBreaks(path: string) {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`);
}
