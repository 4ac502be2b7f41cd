/** A page of plain objects for the scripts of `src/browser`: elements with children and listeners; a test sets the rest. */
import type { Box, Element, Page, UserEvent } from '../../src/browser/document.ts';

type Child = FakeElement | string;

/** One element. Selectors are a name, `.class`, `[attribute]` and `[attribute=value]`, with commas between them. */
export class FakeElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly style = { left: '' };
  disabled = false;
  value = '';
  offsetWidth = 0;
  box: Box = { left: 0, width: 0 };
  /** Whether a keyboard brought the focus here. */
  isFocusVisible = false;
  #children: Child[] = [];
  #parent: FakeElement | null = null;
  readonly #listeners = new Map<string, (event: UserEvent) => void>();

  constructor(name: string, attributes: Readonly<Record<string, string>> = {}, ...children: Child[]) {
    this.name = name;
    this.attributes = new Map(Object.entries(attributes));
    this.append(...children);
  }

  get dataset(): Readonly<Record<string, string>> {
    const data = [...this.attributes].filter(([name]) => name.startsWith('data-'));
    return Object.fromEntries(data.map(([name, value]) => [name.slice('data-'.length), value]));
  }

  get className(): string {
    return this.attributes.get('class') ?? '';
  }

  set className(name: string) {
    this.attributes.set('class', name);
  }

  get textContent(): string {
    return this.#children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('');
  }

  set textContent(text: string) {
    this.replaceChildren(text);
  }

  append(...children: Child[]): void {
    for (const child of children) if (typeof child !== 'string') child.remove();
    this.#children.push(...this.#owned(children));
  }

  replaceChildren(...children: Child[]): void {
    this.#children = this.#owned(children);
  }

  after(...others: Child[]): void {
    this.#parent?.insert(this, [this, ...others]);
  }

  replaceWith(other: Child): void {
    this.#parent?.insert(this, [other]);
  }

  remove(): void {
    this.#parent?.insert(this, []);
    this.#parent = null;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  addEventListener(type: string, listen: (event: UserEvent) => void): void {
    this.#listeners.set(type, listen);
  }

  /** Lets the event happen here. */
  fire(type: string, event: Partial<UserEvent> = {}): void {
    this.#listeners.get(type)?.({ clientX: 0, pointerType: 'mouse', key: '', ...event });
  }

  getBoundingClientRect(): Box {
    return this.box;
  }

  matches(selector: string): boolean {
    if (selector === ':focus-visible') return this.isFocusVisible;
    return selector.split(', ').some((each) => this.#isOne(each));
  }

  closest(selector: string): FakeElement | null {
    return this.matches(selector) ? this : (this.#parent?.closest(selector) ?? null);
  }

  querySelectorAll(selector: string): readonly FakeElement[] {
    const below = this.#children.filter((child) => typeof child !== 'string');
    return below.flatMap((child) => [
      ...(child.matches(selector) ? [child] : []),
      ...child.querySelectorAll(selector),
    ]);
  }

  querySelector(selector: string): FakeElement | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  /** Puts other children in the place of a child. */
  insert(child: FakeElement, others: readonly Child[]): void {
    this.#children = this.#owned(this.#children.flatMap((each) => (each === child ? others : [each])));
  }

  #owned(children: Child[]): Child[] {
    for (const child of children) if (typeof child !== 'string') child.#parent = this;
    return children;
  }

  #isOne(selector: string): boolean {
    const [, name = '', kind, attribute = '', value] =
      /^(\w*)(?:\.(\w+))?(?:\[([\w-]+)(?:=(\w+))?\])?$/.exec(selector) ?? [];
    const found = this.attributes.get(attribute);
    return (
      (name === '' || name === this.name) &&
      (kind === undefined || this.className === kind) &&
      (attribute === '' || (value === undefined ? found !== undefined : found === value))
    );
  }
}

/** The page with that body. */
export function pageOf(body: FakeElement, more: Partial<Page> = {}): Page {
  return {
    body: asElement(body),
    createElement: (name) => asElement(new FakeElement(name)),
    querySelector: (selector) => asElement(body.querySelector(selector)),
    querySelectorAll: (selector) => body.querySelectorAll(selector).map(asElement),
    getSelection: () => null,
    execCommand: () => false,
    ...more,
  };
}

/** As the scripts see it: they only call what the class has. */
function asElement<Found extends FakeElement | null>(
  element: Found,
): Element | (Found extends null ? null : never) {
  return element as unknown as Element;
}
