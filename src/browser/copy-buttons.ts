/** Buttons that copy commands, examples, and ids. Without the script the same text is selected by hand. */
import type { Browser, Element } from './document.ts';

const BLOCKS = 'pre, textarea.copy';
const WORDS = '[data-copy]';
/** How long a button says how copying ended. */
const SAID_MS = 2_000;

/** Puts a button after every block of code and every word that is marked for copying. */
export function addCopyButtons(browser: Browser): void {
  const { document } = browser;
  const said = document.createElement('p');
  said.className = 'skip';
  said.setAttribute('role', 'status');
  document.body.append(said);
  for (const block of document.querySelectorAll(BLOCKS)) {
    const box = document.createElement('div');
    box.className = 'with-copy';
    block.replaceWith(box);
    box.append(block, copyButton(browser, block, said));
  }
  for (const word of document.querySelectorAll(WORDS)) word.after(copyButton(browser, word, said));
}

function copyButton(browser: Browser, from: Element, said: Element): Element {
  const button = browser.document.createElement('button');
  const name = from.dataset['copy'] ?? '';
  button.className = 'copies';
  button.textContent = 'Copy';
  button.setAttribute('type', 'button');
  if (name !== '') button.setAttribute('aria-label', `Copy ${name}`);
  const copyAndSay = async (): Promise<void> => {
    const words = (await copy(browser, from)) ? 'Copied' : 'Not copied: select it by hand';
    button.textContent = words;
    said.textContent = words;
    browser.setTimeout(() => {
      button.textContent = 'Copy';
      said.textContent = '';
    }, SAID_MS);
  };
  button.addEventListener('click', () => void copyAndSay());
  return button;
}

/** Copies the text of an element; false if the browser refuses. */
async function copy({ document, navigator }: Browser, from: Element): Promise<boolean> {
  // The line end that closes a block is not part of its text.
  const text = from.textContent.replace(/\n$/, '');
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
    // A page over plain HTTP from another machine has no clipboard: there the selection is copied.
    if (from.select === undefined) document.getSelection()?.selectAllChildren(from);
    else from.select();
    return document.execCommand('copy');
  } catch {
    return false;
  }
}
