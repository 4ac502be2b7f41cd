/** A browser without scripts: it keeps the cookie it is given and sends forms as browsers do. */
import { fakeApp } from '../fake-parts.ts';

/** Answers requests: an application in this process, or a running program. */
interface App {
  readonly request: (path: string, init: RequestInit) => Response | Promise<Response>;
}

export const ORIGIN = 'https://api.example.com';

/** The pages of an application; redirects are not followed. */
export function openBrowser(app: App = fakeApp().app) {
  let cookie = '';
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (cookie !== '') headers.set('cookie', cookie);
    const response = await app.request(path, { ...init, headers });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) cookie = / Max-Age=0\b/.test(set) ? '' : (set.split(';')[0] ?? '');
    return response;
  };
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: ORIGIN, ...headers },
    });
  return {
    send,
    post,
    signIn: (token: string) => post('/sign-in', { token }),
    page: async (path: string): Promise<string> => (await send(path)).text(),
    cookie: () => cookie,
    /** As if it came from another place or time. */
    setCookie: (value: string) => {
      cookie = value;
    },
  };
}

/** The token that the forms of a page carry. */
export function formTokenIn(page: string): string {
  return /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
}
