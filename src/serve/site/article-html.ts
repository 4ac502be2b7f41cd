/** Turns the Markdown of an article into HTML that can hold nothing but text, links and tables. */
import MarkdownIt, { type RendererRule } from 'markdown-it';

/** A page of the catalogue, by the name of its file in whichever folder: how pages name each other. */
const PAGE = /^(?:[\w./-]*\/)?(?<slug>[a-z0-9-]+)\.md(?<anchor>#[\w-]*)?$/;

// Not `linkify`: an address in a text is an example as often as not. HTML in it stays text.
const markdown = new MarkdownIt({ html: false, linkify: false }).disable('image');

const openHeading: RendererRule = (tokens, place, options, _, renderer) => {
  tokens[place]?.attrSet('id', anchorOf(tokens[place + 1]?.content ?? ''));
  return renderer.renderToken(tokens, place, options);
};

const openLink: RendererRule = (tokens, place, options, _, renderer) => {
  const token = tokens[place];
  const { slug, anchor = '' } = PAGE.exec(String(token?.attrGet('href')))?.groups ?? {};
  if (slug !== undefined) token?.attrSet('href', `${slug}${anchor}`);
  return renderer.renderToken(tokens, place, options);
};

// What may be wider than a phone is scrolled by itself, with the keyboard too.
const openTable: RendererRule = () => '<div class="wide" tabindex="0"><table>\n';
const closeTable: RendererRule = () => '</table></div>\n';
const fence: RendererRule = (tokens, place) =>
  `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[place]?.content ?? '')}</code></pre>\n`;

Object.assign(markdown.renderer.rules, {
  heading_open: openHeading,
  link_open: openLink,
  table_open: openTable,
  table_close: closeTable,
  fence,
});

/** The text as HTML; links between pages are made relative to the address of an article. */
export function articleHtml(text: string): string {
  return markdown.render(text);
}

/** What a heading is named in an address. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
