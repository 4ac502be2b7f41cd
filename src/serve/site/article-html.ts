/** Turns the Markdown of an article into HTML with text, links and tables only. */
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

/** The text as HTML; links between pages become relative to the address of an article. */
export function articleHtml(text: string): string {
  return markdown.render(text);
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
  const lines = text.split('\n');
  const tokens = markdown.parse(text, {});
  const headings = tokens.flatMap(({ type, tag, map }, index) =>
    type === 'heading_open' && tag === 'h2' && map !== null
      ? [{ line: map[0], heading: tokens[index + 1]?.content ?? '' }]
      : [],
  );
  const textFrom = (from: number, next: number | undefined) => lines.slice(from, next).join('\n').trim();
  return [
    { heading: null, anchor: null, text: textFrom(0, headings[0]?.line) },
    ...headings.map(({ line, heading }, place) => ({
      heading,
      anchor: anchorOf(heading),
      text: textFrom(line + 1, headings[place + 1]?.line),
    })),
  ];
}

/** The anchor of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
