import type { ComponentChildren } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { REPORT_STYLE } from './style.js';

/** A page that may load nothing, and run nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** What a page is about: its title, a line below that, and all else. */
interface PageParts {
  readonly title: string;
  readonly span: string;
  readonly children: ComponentChildren;
}

/** One page of HTML that needs no script and makes no request. */
export const pageHtml = (parts: PageParts): string => `<!doctype html>\n${renderToStaticMarkup(<Page {...parts} />)}\n`;

function Page({ title, span, children }: PageParts) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: REPORT_STYLE }} />
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          <p class="span">{span}</p>
          {children}
        </main>
      </body>
    </html>
  );
}
