/**
 * Types of the browser's parts that the prove page and its worker use. The compiler options have no types of browsers, because
 * all other code runs in Node.
 */

export interface Element {
  textContent: string;
  hidden: boolean;
  className: string;
  value: string | number;
  max: number;
  href: string;
  download: string;
  readonly dataset: Readonly<Record<string, string | undefined>>;
  append(...nodes: readonly (Element | string)[]): void;
  replaceChildren(...nodes: readonly (Element | string)[]): void;
  setAttribute(name: string, value: string): void;
  addEventListener(type: string, listener: (event: { preventDefault(): void }) => void): void;
  click(): void;
  focus(): void;
}

export interface Browser {
  readonly document: {
    readonly baseURI: string;
    querySelector(selector: string): Element | null;
    createElement(name: string): Element;
  };
  readonly location: { readonly href: string };
  readonly Worker: new (address: string) => Channel;
}

/** One end of a worker: the page and the worker send each other messages by the same methods. */
export interface Channel {
  postMessage(message: unknown, transfer: readonly []): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'error', listener: (event: { readonly message: string }) => void): void;
}
