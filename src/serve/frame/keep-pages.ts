/** Pages that are the same for every reader: each is made and hashed once, at its first request. */
import { staticResponse, type StaticResponse } from '../http/static-response.ts';

/** Answers with the page of that name, which `make` makes unless it is there. */
export type KeepPage = (name: string, make: () => Promise<string>) => Promise<StaticResponse>;

export function keepPages(): KeepPage {
  const pages = new Map<string, Promise<StaticResponse>>();
  return (name, make) => {
    const made = pages.get(name) ?? make().then((page) => staticResponse(page, 'text/html; charset=utf-8'));
    pages.set(name, made);
    return made;
  };
}
