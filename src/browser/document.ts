/** The parts of a browser that the script of the pages uses. The compiler knows no browser elsewhere. */

/** What listeners read of a pointer's or a key's event. */
export interface UserEvent {
  readonly clientX: number;
  readonly pointerType: string;
  readonly key: string;
}

export interface Box {
  readonly left: number;
  readonly width: number;
}

export interface Element {
  textContent: string;
  className: string;
  disabled: boolean;
  readonly value: string;
  readonly dataset: Readonly<Record<string, string | undefined>>;
  readonly style: Record<'left', string>;
  readonly offsetWidth: number;
  append(...nodes: readonly (Element | string)[]): void;
  after(...nodes: readonly (Element | string)[]): void;
  replaceWith(node: Element): void;
  replaceChildren(...nodes: readonly (Element | string)[]): void;
  remove(): void;
  /** Selects the text of a field; other elements have no such method. */
  select?(): void;
  setAttribute(name: string, value: string): void;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  matches(selector: string): boolean;
  closest(selector: string): Element | null;
  getBoundingClientRect(): Box;
  addEventListener(type: string, listener: (event: UserEvent) => void): void;
}

interface Selection {
  selectAllChildren(node: Element): void;
}

export interface Page {
  readonly body: Element;
  createElement(name: string): Element;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  getSelection(): Selection | null;
  execCommand(command: 'copy'): boolean;
}

export interface Browser {
  readonly document: Page;
  readonly navigator: {
    /** Missing where the page came over plain HTTP from another machine. */
    readonly clipboard?: { writeText(text: string): Promise<void> };
  };
  readonly setTimeout: (run: () => void, ms: number) => void;
}
