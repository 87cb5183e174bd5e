import { createHash } from 'node:crypto';
import { escapeHTML } from '@scriptorium/platform/escape-html';

/** Text that is HTML and needs no escaping. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

/** HTML from a template. Values are escaped, unless they are `Html`. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(fixed.reduce((text, next, at) => text + render(parts[at - 1] ?? '') + next));
}

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escapeHTML(String(part));
}

export const nothing = new Html('');

/** Where the icon is served. Browsers ask for this path unless a page links another one. */
export const faviconPath = '/favicon.ico';

/** The icon: an open book with lines of text. */
export const favicon = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<rect width="32" height="32" rx="7" fill="#0b57d0"/>',
  '<path d="M16 10c-2.5-2-6-2.5-10-2.5v15c4 0 7.5.5 10 2.5 2.5-2 6-2.5 10-2.5v-15c-4 0-7.5.5-10 2.5z" fill="#fff"/>',
  '<path d="M16 10v15M9 12.5c1.6.1 3 .4 4.3.9M9 16.5c1.6.1 3 .4 4.3.9M23 12.5c-1.6.1-3 .4-4.3.9M23 16.5c-1.6.1-3 .4-4.3.9" fill="none" stroke="#0b57d0" stroke-width="1.4" stroke-linecap="round"/>',
  '</svg>',
].join('');

const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #8c959f; --page: #f6f8fa; --card: #fff; --act: #0b57d0; --on: #fff; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b1; --line: #6e7681; --page: #0d1117; --card: #161b22; --act: #7cacf8; --on: #0d1117; --bad: #ff9e94; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
main { max-width: 30rem; margin: 0 auto; padding: 2.5rem 1rem 4rem; }
main.wide { max-width: 46rem; }
h1 { font-size: 1.6rem; margin: 0 0 1.25rem; }
h2 { font-size: 1.1rem; margin: 0 0 .75rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1.25rem; margin: 0 0 1rem; }
section > :last-child { margin-bottom: 0; }
p { margin: 0 0 .75rem; }
label { display: block; font-weight: 600; margin: 0 0 .25rem; }
input, select { font: inherit; color: inherit; background: var(--page); width: 100%; padding: .5rem .65rem; margin: 0 0 .9rem; border: 1px solid var(--line); border-radius: .35rem; }
button { font: inherit; font-weight: 600; color: var(--on); background: var(--act); border: 1px solid var(--act); border-radius: .35rem; padding: .5rem 1rem; cursor: pointer; }
button.plain { color: var(--act); background: transparent; }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
a { color: var(--act); }
table { width: 100%; border-collapse: collapse; margin: 0 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .5rem .45rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td:not(:first-child) { white-space: nowrap; }
td form { margin: 0; }
td button { padding: .15rem .6rem; }
code { font: .9em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
#token { display: block; padding: .6rem; margin: 0 0 .75rem; border: 1px solid var(--line); border-radius: .35rem; background: var(--page); }
pre.text { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 .75rem; }
.soft { color: var(--soft); }
.bad { color: var(--bad); font-weight: 600; border-left: .25rem solid var(--bad); padding-left: .75rem; }
.good { font-weight: 600; border-left: .25rem solid var(--act); padding-left: .75rem; }
.out { margin: 0 0 1rem; display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; flex-wrap: wrap; }
`;

/**
 * Headers of pages. A page may use its own style and post its forms to this server; no script runs on it. Its address,
 * which may hold the secret of a link, is not sent to other origins. It is sent to this one, which needs the origin of
 * forms.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
};

/** A message at the top of a page. */
export interface Notice {
  kind: 'bad' | 'good';
  text: string;
}

export interface PageParts {
  title: string;
  body: Html;
  notice?: Notice | undefined;
  wide?: boolean;
  /** Path of a page that browsers open after this one by themselves. */
  redirectTo?: string;
}

/** A whole page. Its style must be exactly the text that the hash in the policy was made of. */
export function page({ title, body, notice, wide = false, redirectTo }: PageParts): string {
  const message =
    notice === undefined
      ? nothing
      : html`<p class="${notice.kind}" role="${notice.kind === 'bad' ? 'alert' : 'status'}">${notice.text}</p>`;
  const { text } = html`<body>
<main${wide ? html` class="wide"` : nothing}>
<h1>${title}</h1>
${message}
${body}
</main>
</body>
</html>
`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html`${title}`.text} · Scriptorium</title>
<link rel="icon" href="${faviconPath}" type="image/svg+xml">${
    redirectTo === undefined ? '' : html` <meta http-equiv="refresh" content="0; url=${redirectTo}" />`.text
  }
<style>${style}</style>
</head>
${text}`;
}
