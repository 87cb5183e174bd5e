import type { OrganizationSSOLogin, OwnSession, Session, UserToken } from '@scriptorium/contracts';
import { html, nothing, type Html, page, type Notice } from './layout.js';
import { paths } from './page-request.js';

export interface Account {
  session: OwnSession;
  tokens: readonly UserToken[];
  sessions: readonly Session[];
  /** The organizations whose single sign-on the account can be connected to. */
  logins: readonly OrganizationSSOLogin[];
  notice?: Notice | undefined;
  /** A token that was just created; it is shown only this once. */
  created?: { label: string; token: string } | undefined;
}

/** The account's page: the person's tokens, password and sessions. */
export function accountPage(account: Account): string {
  const { session, notice } = account;
  const body = html`${whoSection(session)} ${account.created === undefined ? nothing : createdToken(account.created)}
    ${tokensSection(account.tokens)} ${passwordSection(session)} ${sessionsSection(account.sessions)}
    ${account.logins.length === 0 ? nothing : connectSection(account.logins)}
    <p class="soft">The <a href="/reference">API reference</a> can work with a token of this session.</p>`;
  return page({ title: 'Your account', body, notice, wide: true });
}

/**
 * The account's page for a session of an organization's single sign-on, which has no access to the rest of the account.
 */
export function organizationAccountPage(session: OwnSession, notice: Notice | undefined): string {
  const body = html`${whoSection(session)}
    <section>
      <p>
        You have signed in through your organization. This session is for that organization only: it does not show the
        tokens, the password and the other sessions of your account.
      </p>
    </section>`;
  return page({ title: 'Your account', body, notice });
}

function whoSection({ user }: OwnSession): Html {
  return html`<div class="out">
    <p>
      Signed in as <strong>${user.displayName}</strong>${user.email === undefined ? nothing : html` (${user.email})`}
    </p>
    <form method="post" action="${paths.signOut}"><button class="plain">Sign out</button></form>
  </div>`;
}

/** Links instead of forms: the policy of the page forbids forms that lead to another origin. */
function connectSection(logins: readonly OrganizationSSOLogin[]): Html {
  const items = logins.map(
    ({ organization, label, startURL }) =>
      html`<li><a href="${startURL}?connect=true">${organization.title}</a> <span class="soft">${label}</span></li>`,
  );
  return html`<section aria-labelledby="connect-title">
    <h2 id="connect-title">Connect to single sign-on</h2>
    <p class="soft">You can then sign in through these organizations too.</p>
    <ul>
      ${items}
    </ul>
  </section>`;
}

function createdToken({ label, token }: { label: string; token: string }): Html {
  return html`<section aria-labelledby="created-title" role="status">
    <h2 id="created-title">Your new token ${label}</h2>
    <p>Copy it now: it is shown only this once.</p>
    <code id="token">${token}</code>
  </section>`;
}

function tokensTable(tokens: readonly UserToken[]): Html {
  const rows = tokens.map(
    ({ id, label, createdAt, lastUsedAt, expiresAt }) =>
      html`<tr>
        <td>${label}</td>
        <td>${day(createdAt)}</td>
        <td>${day(lastUsedAt)}</td>
        <td>${day(expiresAt)}</td>
        <td>
          <form method="post" action="${paths.revokeToken}">
            <input type="hidden" name="id" value="${id}" /><button class="plain" aria-label="Revoke ${label}">
              Revoke
            </button>
          </form>
        </td>
      </tr>`,
  );
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Label</th>
        <th scope="col">Created</th>
        <th scope="col">Last used</th>
        <th scope="col">Ends</th>
        <th scope="col">Revoke</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function tokensSection(tokens: readonly UserToken[]): Html {
  return html`<section aria-labelledby="tokens-title">
    <h2 id="tokens-title">API tokens</h2>
    ${tokens.length === 0 ? html`<p class="soft">You have none.</p>` : tokensTable(tokens)}
    <form method="post" action="${paths.newToken}">
      <label for="label">Label of a new token</label>
      <input id="label" name="label" maxlength="50" required />
      <label for="days">It ends</label>
      <select id="days" name="days">
        <option value="30">after 30 days</option>
        <option value="90">after 90 days</option>
        <option value="365">after a year</option>
        <option value="">never</option>
      </select>
      <button>Create a token</button>
    </form>
  </section>`;
}

function passwordSection({ password, method }: OwnSession): Html {
  const current = html`<label for="current">Present password</label>
    <input id="current" name="current" type="password" autocomplete="current-password" maxlength="256" />
    ${method === 'link' ? html`<p class="soft">Within 15 minutes after an e-mailed link you can leave it empty.</p>` : nothing}`;
  return html`<section id="password" aria-labelledby="password-title">
    <h2 id="password-title">${password ? 'Change your password' : 'Set a password'}</h2>
    <form method="post" action="${paths.newPassword}">
      ${password ? current : nothing}
      <label for="new-password">New password</label>
      <input
        id="new-password"
        name="password"
        type="password"
        autocomplete="new-password"
        minlength="10"
        maxlength="256"
        required
        aria-describedby="password-hint"
      />
      <p class="soft" id="password-hint">
        At least 10 characters, hard to guess: a few unusual words do. You are signed out everywhere else.
      </p>
      <button>Save</button>
    </form>
  </section>`;
}

function sessionsSection(sessions: readonly Session[]): Html {
  const end = (id: string): Html =>
    html`<form method="post" action="${paths.endSession}">
      <input type="hidden" name="id" value="${id}" /><button class="plain">End</button>
    </form>`;
  const rows = sessions.map(
    ({ id, client, createdAt, lastSeenAt, current }) =>
      html`<tr>
        <td>${client ?? 'Unknown'}</td>
        <td>${day(createdAt)}</td>
        <td>${day(lastSeenAt)}</td>
        <td>${current ? 'This one' : end(id)}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="sessions-title">
    <h2 id="sessions-title">Where you are signed in</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Browser</th>
          <th scope="col">Since</th>
          <th scope="col">Last seen</th>
          <th scope="col">End</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`;
}

function day(time: string | undefined): string {
  return time === undefined ? '–' : time.slice(0, 10);
}
