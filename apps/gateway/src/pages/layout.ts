import { createHash } from 'node:crypto';
import { faviconPath } from './favicon.js';
import { html, nothing, type Html } from './html.js';

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
