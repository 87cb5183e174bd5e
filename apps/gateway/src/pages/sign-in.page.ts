import type { OrganizationSSOLogin } from '@scriptorium/contracts';
import { html, nothing, type Html } from './html.js';
import { page, type Notice } from './layout.js';
import { paths } from './paths.js';

const address = (id: string, value: string): Html => html`<label for="${id}">E-mail address</label>
<input id="${id}" name="email" type="email" autocomplete="username" maxlength="254" required value="${value}">`;

/** The three ways in. `email` is what the visitor has typed before. */
export function signInPage({ email = '', notice }: { email?: string; notice?: Notice } = {}): string {
  const body = html`<section aria-labelledby="password-title">
<h2 id="password-title">With a password</h2>
<form method="post" action="${paths.byPassword}">
${address('password-email', email)}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required>
<button>Sign in</button>
</form>
</section>
<section id="link" aria-labelledby="link-title">
<h2 id="link-title">With an e-mailed link</h2>
<p class="soft">Also if you have been invited, or have forgotten your password.</p>
<form method="post" action="${paths.sendLink}">
${address('link-email', email)}
<label for="purpose">What for</label>
<select id="purpose" name="purpose"><option value="sign-in">To sign in</option><option value="password">To set a new password</option></select>
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

/** Opening a link changes nothing yet: programs that look at mail open links too. */
export function linkPage(link: string, notice?: Notice): string {
  const body = html`<section>
<p>You have opened a link that signs you in. It works once.</p>
<form method="post" action="${paths.byLink}">
<input type="hidden" name="link" value="${link}">
<label for="displayName">Your name, if this is your first time here</label>
<input id="displayName" name="displayName" autocomplete="name" maxlength="64">
<button>Sign in</button>
</form>
</section>`;
  return page({ title: 'Sign in', body, notice });
}

export function sentPage(): string {
  const body = html`<section>
<p>If this address is known here, a link is on its way to it. It works once, within 15 minutes.</p>
<p><a href="${paths.signIn}">Back</a></p>
</section>`;
  return page({ title: 'Look into your mail', body });
}

export function providersPage(providers: readonly OrganizationSSOLogin[]): string {
  const items = providers.map(({ organization, label, startURL }) => html`<li><a href="${startURL}">${organization.title}</a> <span class="soft">${label}</span></li>`);
  const body = html`<section>
${providers.length === 0 ? html`<p>No organization offers single sign-on for this address. Sign in with a password or an e-mailed link.</p>` : html`<ul>${items}</ul>`}
<p><a href="${paths.signIn}">Back</a></p>
</section>`;
  return page({ title: 'Single sign-on', body });
}

/**
 * Where a browser arrives that its organization's provider has sent: what it asks for next, it asks for from here, and so
 * with the session, which comes along with what pages of this origin ask for alone.
 */
export function arrivedPage(): string {
  const body = html`<section><p>You are signed in. <a href="${paths.account}">Go on to your account</a></p></section>`;
  return page({ title: 'Signed in', body, goOn: paths.account });
}

/** What went wrong, where there is no form to show it beside. */
export function problemPage(text: string, wayOut: Html = nothing): string {
  return page({ title: 'That did not work', notice: { kind: 'bad', text }, body: html`${wayOut}<p><a href="${paths.signIn}">Back to signing in</a></p>` });
}
