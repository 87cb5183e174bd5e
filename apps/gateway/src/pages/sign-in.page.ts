import { startSAMLSignIn, type OrganizationSSOLogin } from '@scriptorium/contracts';
import { html, nothing, type Html, page, type Notice } from './layout.js';
import { paths } from './page-request.js';

const address = (id: string, value: string): Html =>
  html`<label for="${id}">E-mail address</label>
    <input id="${id}" name="email" type="email" autocomplete="username" maxlength="254" required value="${value}" />`;

/** The three ways to sign in. `email`: what the visitor has typed before. */
export function signInPage({ email = '', notice }: { email?: string; notice?: Notice } = {}): string {
  const body = html`<section aria-labelledby="password-title">
      <h2 id="password-title">With a password</h2>
      <form method="post" action="${paths.byPassword}">
        ${address('password-email', email)}
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required />
        <button>Sign in</button>
      </form>
    </section>
    <section id="link" aria-labelledby="link-title">
      <h2 id="link-title">With an e-mailed link</h2>
      <p class="soft">Also if you have been invited, or have forgotten your password.</p>
      <form method="post" action="${paths.sendLink}">
        ${address('link-email', email)}
        <label for="purpose">What for</label>
        <select id="purpose" name="purpose">
          <option value="sign-in">To sign in</option>
          <option value="password">To set a new password</option>
        </select>
        <button>Send me a link</button>
      </form>
    </section>
    <section aria-labelledby="sso-title">
      <h2 id="sso-title">With single sign-on</h2>
      <form method="post" action="${paths.bySso}">
        ${address('sso-email', email)}
        <button>Find my organization</button>
      </form>
    </section>
    <p class="soft">Signed in already? <a href="${paths.account}">Your account</a></p>`;
  return page({ title: 'Sign in', body, notice });
}

/** Opening a link changes nothing yet, because programs that scan mail open links too. */
export function linkPage(link: string, notice?: Notice): string {
  const body = html`<section>
    <p>You have opened a link that signs you in. It works once.</p>
    <form method="post" action="${paths.byLink}">
      <input type="hidden" name="link" value="${link}" />
      <label for="displayName">Your name, if this is your first time here</label>
      <input id="displayName" name="displayName" autocomplete="name" maxlength="64" />
      <button>Sign in</button>
    </form>
  </section>`;
  return page({ title: 'Sign in', body, notice });
}

export function linkSentPage(): string {
  const body = html`<section>
    <p>If this address is known here, a link is on its way to it. It works once, within 15 minutes.</p>
    <p><a href="${paths.signIn}">Back</a></p>
  </section>`;
  return page({ title: 'Check your mail', body });
}

export function providersPage(providers: readonly OrganizationSSOLogin[]): string {
  const items = providers.map(
    ({ organization, label, startURL }) =>
      html`<li><a href="${startURL}">${organization.title}</a> <span class="soft">${label}</span></li>`,
  );
  const body = html`<section>
    ${
      providers.length === 0
        ? html`<p>
            No organization offers single sign-on for this address. Sign in with a password or an e-mailed link.
          </p>`
        : html`<ul>
            ${items}
          </ul>`
    }
    <p><a href="${paths.signIn}">Back</a></p>
  </section>`;
  return page({ title: 'Single sign-on', body });
}

/**
 * Asks a visitor whom another site has sent here whether they want to sign in. `provider`: null if it does not exist.
 */
export function confirmPage(provider: string | null): string {
  if (provider === null) return problemPage('There is no such way to sign in.');
  const start = `/v1${startSAMLSignIn.path.replace('{samlProviderId}', provider)}`;
  const body = html`<section>
    <p>Another site has sent you here to sign in with single sign-on. Go on only if you wanted to sign in.</p>
    <p><a href="${start}">Continue</a></p>
    <p><a href="${paths.signIn}">Back</a></p>
  </section>`;
  return page({ title: 'Sign in with single sign-on', body });
}

/**
 * The page that a browser gets after its identity provider sent it here. Browsers send the session cookie only with
 * requests of pages of this origin; this page makes the next request, so that one has the cookie.
 */
export function signedInPage(): string {
  const body = html`<section>
    <p>You are signed in. <a href="${paths.account}">Continue to your account</a></p>
  </section>`;
  return page({ title: 'Signed in', body, redirectTo: paths.account });
}

/** An error on a page of its own. `help`: what the visitor can do. */
export function problemPage(text: string, help: Html = nothing): string {
  return page({
    title: 'That did not work',
    notice: { kind: 'bad', text },
    body: html`${help}
      <p><a href="${paths.signIn}">Back to signing in</a></p>`,
  });
}
