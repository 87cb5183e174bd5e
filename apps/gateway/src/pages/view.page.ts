import type { Page, Site, Space } from '@scriptorium/contracts';
import { html, nothing, type Html, page } from './layout.js';
import { paths } from './page-request.js';

/** The page at an address of the application: it opens the one that browsers send the cookie to. */
export function openingPage(path: string): string {
  const target = `${paths.view}?path=${encodeURIComponent(path)}`;
  const body = html`<section>
    <p><a href="${target}">Open the page</a></p>
  </section>`;
  return page({ title: 'Opening', body, redirectTo: target });
}

/** For visitors without a session. `path`: the address that they wanted. */
export function signInFirstPage(path: string): string {
  const body = html`<section>
    <p>
      <a href="${paths.signIn}">Sign in</a> to see what is at this address, then <a href="${path}">open it again</a>.
    </p>
  </section>`;
  return page({ title: 'Sign in first', body });
}

export function invitationPage(id: string): string {
  const body = html`<section>
    <p>This is an invitation to an organization. Sign in, create a token, and accept it with that:</p>
    <p><code>POST /v1/orgs/&lt;id of the organization&gt;/invites/${id}</code></p>
    <p><a href="${paths.signIn}">Sign in</a></p>
  </section>`;
  return page({ title: 'Invitation', body });
}

interface Entry {
  object: string;
  title: string;
  urls: { app: string; published?: string | undefined };
}

/** The spaces, collections or sites of something. */
export function listPage(title: string, entries: readonly Entry[]): string {
  const items = entries.map(
    ({ object, title: name, urls }) =>
      html`<li><a href="${urls.app}">${name}</a> <span class="soft">${object}</span>${publishedLink(urls)}</li>`,
  );
  const body =
    items.length === 0
      ? html`<section><p>There is nothing that you may see.</p></section>`
      : html`<section>
          <ul>
            ${items}
          </ul>
        </section>`;
  return page({ title, body, wide: true });
}

export function sitePage({ title, urls }: Pick<Site, 'title' | 'urls'>): string {
  const body = html`<section>
    <p>
      ${urls.published === undefined ? 'This site is not published.' : 'This site is published.'}${publishedLink(urls)}
    </p>
  </section>`;
  return page({ title, body, wide: true });
}

/** The tree of a space's pages. */
export function spacePage({ title, urls }: Pick<Space, 'title' | 'urls'>, pages: readonly Page[]): string {
  const body = html`<section>
    <p class="soft">${pages.length === 0 ? 'No pages.' : 'Pages'}${publishedLink(urls)}</p>
    ${treeOf(pages)}
  </section>`;
  return page({ title, body, wide: true });
}

/** One page with its text, and the pages in it. */
export function contentPage({ title: within, urls }: Pick<Space, 'title' | 'urls'>, shown: Page): string {
  const text = shown.type === 'document' ? (shown.markdown ?? '') : '';
  const inside = 'pages' in shown ? shown.pages : [];
  const body = html`<p class="soft"><a href="${urls.app}">${within}</a>${publishedLink(urls)}</p>
    <section>
      <pre class="text">${text === '' ? 'This page has no text.' : text}</pre>
      ${treeOf(inside)}
    </section>`;
  return page({ title: shown.title, body, wide: true });
}

function publishedLink({ published }: Entry['urls']): Html {
  return published === undefined ? nothing : html` <a href="${published}" rel="noreferrer">Published</a>`;
}

function treeOf(pages: readonly Page[]): Html {
  if (pages.length === 0) return nothing;
  const items = pages.map((each) => html`<li>${nameOf(each)}${'pages' in each ? treeOf(each.pages) : nothing}</li>`);
  return html`<ul>
    ${items}
  </ul>`;
}

function nameOf({ title, urls }: Page): Html {
  return urls.app === undefined ? html`${title}` : html`<a href="${urls.app}">${title}</a>`;
}
