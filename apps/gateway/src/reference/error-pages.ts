import {
  errorPages,
  errorPath,
  reasonStatus,
  type ErrorPage,
  type Operation,
  type Reason,
} from '@scriptorium/contracts';
import { once } from '../once.js';
import { Html, html, nothing, page } from '../pages/layout.js';

/** The pages of all reasons and the list of them, by path. They are made when one of them is first requested. */
export function errorDocuments(table: readonly Operation[]): { path: string; body: () => string }[] {
  const bodies = once(() => {
    const pages = errorPages(table);
    return new Map([[listPath, list(pages)], ...pages.map((each) => [errorPath(each.reason), one(each)] as const)]);
  });
  const paths = [listPath, ...(Object.keys(reasonStatus) as Reason[]).map(errorPath)];
  return paths.map((path) => ({ path, body: () => bodies().get(path) ?? '' }));
}

const listPath = '/errors';

function list(pages: readonly ErrorPage[]): string {
  const items = pages.map(
    ({ reason, status, meaning }) =>
      html`<li>${status} <a href="${errorPath(reason)}">${reason}</a><br />${prose(meaning)}</li>`,
  );
  const body = html`<section>
    <p>Every error names its reason in <code>error.reason</code>, which never changes, and links to its page here.</p>
    <ul>
      ${items}
    </ul>
  </section>`;
  return page({ title: 'Reasons of errors', body, wide: true });
}

function one(each: ErrorPage): string {
  const body = html`<section>
      <p><strong>${prose(each.meaning)}</strong></p>
      <h2>When</h2>
      <p>${prose(each.when)}</p>
      <h2>What to do</h2>
      <p>${prose(each.next)}</p>
      <h2>Operations</h2>
      ${operations(each)}
    </section>
    <p><a href="/errors">All reasons</a> · <a href="/reference">API reference</a></p>`;
  return page({ title: `${each.status} ${each.reason}`, body, wide: true });
}

function operations({ operations: named, otherwise }: ErrorPage): Html {
  if (named === 'every') return html`<p>Every operation.</p>`;
  if (named.length === 0) return html`<p>No operation of this version answers it.</p>`;
  const statuses = new Map(otherwise.map(({ id, status }) => [id, status]));
  const items = named.map(
    ({ id, method, path, summary }) =>
      html`<li>
        <code>${method} /v1${path}</code> ${summary}${statuses.has(id) ? html` (${statuses.get(id) ?? ''})` : nothing}
      </li>`,
  );
  return html`<ul>
    ${items}
  </ul>`;
}

/** Text in which words in backticks are shown as code. */
function prose(text: string): Html {
  const parts = text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return new Html(parts.map((part) => part.text).join(''));
}
