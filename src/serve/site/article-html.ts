/** Turns the Markdown of an article into HTML with text, links and tables only. */
import { setImmediate } from 'node:timers/promises';
import MarkdownIt, { type RendererRule } from 'markdown-it';

/** A link to another page: the name of its file in any folder. */
const PAGE = /^(?:[\w./-]*\/)?(?<slug>[a-z0-9-]+)\.md(?<anchor>#[\w-]*)?$/;

// No `linkify`: an address in a text is often only an example. HTML in the Markdown stays text.
const markdown = new MarkdownIt({ html: false, linkify: false }).disable('image');

// A heading links to itself, so that its address can be copied.
const openHeading: RendererRule = (tokens, index, options, _, renderer) => {
  const anchor = anchorOf(tokens[index + 1]?.content ?? '');
  tokens[index]?.attrSet('id', anchor);
  return `${renderer.renderToken(tokens, index, options)}<a href="#${anchor}">`;
};
const closeHeading: RendererRule = (tokens, index, options, _, renderer) =>
  `</a>${renderer.renderToken(tokens, index, options)}`;

const openLink: RendererRule = (tokens, index, options, _, renderer) => {
  const token = tokens[index];
  const { slug, anchor = '' } = PAGE.exec(String(token?.attrGet('href')))?.groups ?? {};
  if (slug !== undefined) token?.attrSet('href', `${slug}${anchor}`);
  return renderer.renderToken(tokens, index, options);
};

// A table may be wider than a phone, so it scrolls by itself, with the keyboard too.
const openTable: RendererRule = () => '<div class="wide" tabindex="0"><table>\n';
const closeTable: RendererRule = () => '</table></div>\n';
const fence: RendererRule = (tokens, index) =>
  `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;

Object.assign(markdown.renderer.rules, {
  heading_open: openHeading,
  heading_close: closeHeading,
  link_open: openLink,
  table_open: openTable,
  table_close: closeTable,
  fence,
});

// The first text with each form compiles the library, 12 ms that no request shall wait for: `npm run campaign -- pauses`.
markdown.render(
  '# a\n\nb *c* **d** [e](f.md) `g`\n\n- h\n\n1. i\n\n| j |\n|--:|\n| k |\n\n```sh\nl\n```\n\n> m',
);

/**
 * The text as HTML; links between pages become relative to the address of an article. Other requests run between two
 * headings: the longest reference page takes 80 ms.
 */
export async function articleHtml(text: string): Promise<string> {
  let page = '';
  for (const { heading, below } of cutAt(/^#{1,6} /, text)) {
    await setImmediate();
    page += markdown.render([...(heading === null ? [] : [heading]), ...below].join('\n'));
  }
  await setImmediate();
  return page;
}

/** A part of an article. */
interface Section {
  /** Null for the text before the first heading. */
  readonly heading: string | null;
  readonly anchor: string | null;
  /** Markdown. */
  readonly text: string;
}

/** The article cut at its headings of the second level. */
export function sectionsOf(text: string): readonly Section[] {
  return cutAt(/^## /, text).map(({ heading: line, below }) => {
    const heading = line === null ? null : line.slice('## '.length).trim();
    return {
      heading,
      anchor: heading === null ? null : anchorOf(heading),
      text: below.join('\n').trim(),
    };
  });
}

const FENCE = /^ {0,3}(?<signs>`{3,}(?=[^`]*$)|~{3,})(?<rest>.*)$/;

/** The lines before the first heading, and each heading with the lines below it; a line of code is no heading. */
function cutAt(heading: RegExp, text: string): { heading: string | null; below: string[] }[] {
  const parts: ReturnType<typeof cutAt> = [{ heading: null, below: [] }];
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const { signs, rest = '' } = FENCE.exec(line)?.groups ?? {};
    if (open === null && heading.test(line)) {
      parts.push({ heading: line, below: [] });
      continue;
    }
    parts.at(-1)?.below.push(line);
    if (signs === undefined) continue;
    if (open === null) open = signs;
    // The end of code is a fence of the same signs, at least as long, with nothing behind it.
    else if (signs.startsWith(open) && rest.trim() === '') open = null;
  }
  return parts;
}

/** The anchor of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
