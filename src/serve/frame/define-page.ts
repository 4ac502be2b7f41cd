/** Declares a page: address, readers, parameters and content in one place; policy, session, frame and refusals follow. */
import type { Context, Handler, Hono } from 'hono';
import type { ServeEnv } from '../auth/authenticate.ts';
import { REQUESTED } from '../auth/requested-address.ts';
import { acceptNoParameters, acceptParameters } from '../http/parameters.ts';
import { CACHE_PUBLIC, sendStatic, staticResponse, type StaticResponse } from '../http/static-response.ts';
import { accountRouter, publicRouter } from './account-router.ts';
import { framedPage } from './page-frame.ts';
import { guardPage } from './page-guard.ts';
import { leadToSearch } from './lead-to-search.ts';
import { formTokenFor, offerSignIn, requireSession, type SignInParts } from './signed-in.ts';
import { type Html, rootOf, type Way } from './site-layout.ts';

/** The names in braces of a path. */
export type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

export interface Address<Path extends string> {
  /** From the top, with names in braces; a suffix may follow the last name, as in `{table}.csv`. */
  readonly path: Path;
  /** `public` pages are the same for every reader. The others are an account's: they need a session, and no cache keeps them. */
  readonly access: 'public' | 'sign-in';
  /** The parameters that it takes; null if it reads and refuses them itself. */
  readonly query: readonly string[] | null;
  /** What it answers, for the reference of routes. */
  readonly says: string;
}

export interface Framed<Path extends string> extends Address<Path> {
  readonly title: string;
  readonly here: Way | null;
  /** Whether a public page has a form. Pages of an account have one: it signs out. */
  readonly hasForm?: boolean;
  /** Sources of its policy besides those of every page. */
  readonly loads?: readonly string[];
}

/** A request of a page. */
export interface Asked<Name extends string = never> {
  readonly c: Context<ServeEnv>;
  /** The relative path from the page to the top. */
  readonly root: string;
  /** The parts of the address that the path names. */
  readonly named: Readonly<Record<Name, string>>;
  /** The whole HTML document, for pages that are made once for all readers. */
  readonly frame: (shown: ShownPage) => Promise<string>;
}

/** The content of a page, with a title of its own if the declared one is of many pages. */
export interface ShownPage {
  readonly body: Html;
  readonly title?: string;
  /** Null for a refusal, which is no entry of the navigation. */
  readonly here?: null;
  readonly status?: 400 | 404;
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** The snapshot that the reader chose: the navigation keeps it. */
  readonly snapshot?: string;
}

/** A declared page: its row in the reference of routes, and how to register it. */
export interface Page<Parts> extends Address<string> {
  readonly register: (app: Hono<ServeEnv>, parts: Parts & SignInParts) => void;
}

type Answer = Promise<Response> | Response;

/** Declares a page. `body` is called once per application; what it returns answers each request. */
export function definePage<const Path extends string, Parts>(
  declared: Framed<Path> & {
    readonly body: (
      parts: Parts,
    ) => (
      asked: Asked<Names<Path>>,
    ) => Promise<ShownPage | StaticResponse | Response> | ShownPage | StaticResponse | Response;
  },
): Page<Parts> {
  const { title, here, access, body } = declared;
  return declare(declared, (parts: Parts & SignInParts) => {
    const show = body(parts);
    return async (asked) => {
      const { c, root } = asked;
      const form_token = access === 'public' ? null : formTokenFor(c, parts);
      const frame = (shown: ShownPage) => framedPage({ title, here, root, form_token, ...shown });
      const shown = await show({ ...asked, frame });
      if (shown instanceof Response) return shown;
      if ('etag' in shown) return sendStatic(c, shown, CACHE_PUBLIC);
      c.header('cache-control', 'no-store');
      return c.html(await frame(shown), shown.status);
    };
  });
}

/** Declares an address of an account that is no page: a file, or a way to a page. It has the guards of a page. */
export function defineAddress<const Path extends string, Parts>(
  declared: Omit<Address<Path>, 'access'> & {
    readonly answer: (parts: Parts) => (asked: Omit<Asked<Names<Path>>, 'frame'>) => Answer;
  },
): Page<Parts> {
  return declare({ access: 'sign-in', ...declared }, declared.answer);
}

/** Declares a style or a script: the same for everybody, below a policy that lets it load only what `loads` names. */
export function defineFile<Parts>(
  declared: Pick<Address<string>, 'path' | 'says'> & {
    readonly type: 'css' | 'javascript';
    readonly loads: readonly string[];
    readonly headers?: Readonly<Record<string, string>>;
    readonly text: (parts: Parts) => string;
  },
): Page<Parts> {
  const { path, says, type, loads, headers = CACHE_PUBLIC, text } = declared;
  return {
    path,
    access: 'public',
    query: [],
    says,
    register(app, parts) {
      const file = staticResponse(text(parts), `text/${type}; charset=utf-8`);
      app.on('GET', [path], acceptNoParameters, guardPage(loads), (c) => sendStatic(c, file, headers));
    },
  };
}

function declare<Path extends string, Parts>(
  { path, access, query, says, hasForm = false, loads = [] }: Address<Path> & Partial<Framed<Path>>,
  open: (parts: Parts & SignInParts) => (asked: Omit<Asked<Names<Path>>, 'frame'>) => Answer,
): Page<Parts> {
  const accept = (names = query) => (names === null ? [] : [acceptParameters(names)]);
  return {
    path,
    access,
    query,
    says,
    register(app, parts) {
      const answer = open(parts);
      const handler: Handler<ServeEnv> = (c) =>
        answer({ c, root: rootOf(c.req.path), named: namedIn(path, c) });
      if (access === 'public') {
        const routes = publicRouter(routed(path), loads, hasForm);
        routes.on('GET', [routed(path)], leadToSearch(query ?? []), ...accept(), handler);
        app.route('/', routes);
        return;
      }
      // The top itself shows the form of the sign-in; every other page leads there.
      const doors =
        path === '/'
          ? [...accept([...(query ?? []), REQUESTED]), offerSignIn(parts)]
          : [requireSession(parts), ...accept()];
      const routes = accountRouter(parts, [routed(path)], loads);
      routes.on('GET', [routed(path)], ...doors, handler);
      app.route('/', routes);
    },
  };
}

/** The path in a form that Hono can match. */
export function routed(path: string): string {
  return path.replace(NAMED, (_, name: string, suffix = '') =>
    suffix === '' ? `:${name}` : `:${name}{.+\\${suffix}}`,
  );
}

const NAMED = /\{(\w+)\}(\.\w+)?/g;

function namedIn<Path extends string>(path: Path, c: Context<ServeEnv>) {
  const named = [...path.matchAll(NAMED)].map(([, name = '', suffix = '']) => {
    const value = c.req.param(name) ?? '';
    return [name, value.slice(0, value.length - suffix.length)] as const;
  });
  return Object.fromEntries(named) as Readonly<Record<Names<Path>, string>>; // the same names, read by the compiler
}
