import { posix } from 'node:path';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { GUIDE, type GuidePage, guidePageOf, guidePath } from './guide-pages.js';

/** Where files are that the guide names and does not have. */
const SOURCE = 'https://github.com/stakeport/stakeport/blob/main/';

/** A page of the guide as HTML, of its Markdown. Scripts are not needed, and none are in it. */
export function guideHtml(page: GuidePage, markdown: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · stakeport</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/guide.css"></head>
<body><header><a href="${guidePath('')}">stakeport</a><a href="#pages">All pages</a></header>
<main>
${contentOf(page, markdown)}</main>
<nav id="pages" aria-label="Guide">${GUIDE.map(section(page)).join('')}
<p><a href="/docs">Reference of the API</a></p></nav></body>
</html>
`;
}

const section =
  (shown: GuidePage) =>
  ({ heading, pages }: (typeof GUIDE)[number]): string =>
    `\n<p>${heading}</p><ul>${pages.map(item(shown)).join('')}</ul>`;

const item =
  (shown: GuidePage) =>
  (page: GuidePage): string =>
    `<li><a href="${guidePath(page.name)}"${page === shown ? ' aria-current="page"' : ''}>${page.title}</a></li>`;

function contentOf(page: GuidePage, markdown: string): string {
  const marked = new Marked({ gfm: true, async: false });
  marked.use(gfmHeadingId());
  marked.use({
    // Comments alone; what looks like HTML anywhere else is text.
    renderer: { html: ({ text }) => (text.startsWith('<!--') ? '' : escaped(text)) },
    walkTokens: (token) => {
      if (token.type === 'link' || token.type === 'image') token['href'] = targetOf(page, token['href']);
    },
  });
  // A wide table or listing is scrolled by itself, with the keyboard too.
  return String(marked.parse(markdown))
    .replace(/<table>/g, '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>')
    .replace(/<\/table>/g, '</table></div>')
    .replace(/<pre>/g, '<pre tabindex="0">');
}

/** Where a link of a page leads here. */
function targetOf(page: GuidePage, href: string): string {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [path = '', part] = href.split('#');
  const file = posix.normalize(posix.join(posix.dirname(page.file), path));
  const known = guidePageOf(file);
  const anchor = part === undefined ? '' : `#${part}`;
  if (known !== undefined) return guidePath(known.name) + anchor;
  const image = /^docs\/images\/([\w-]+\.png)$/.exec(file);
  return image === null ? `${SOURCE}${file}${anchor}` : `/docs/images/${image[1]}`;
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
