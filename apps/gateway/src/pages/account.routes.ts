import {
  AppError,
  changePassword,
  createUserToken,
  deleteUserSession,
  deleteUserToken,
  getSession,
  listSSOLoginsForEmail,
  listUserSessions,
  listUserTokens,
  signOut,
  type OrganizationSSOLogin,
  type OwnSession,
} from '@scriptorium/contracts';
import { accountPage, organizationAccountPage, type Account } from './account.page.js';
import { field, type PageAnswer, type PageHandler, type WebPageRequest, paths } from './page-request.js';
import { messageFor } from './sign-in.routes.js';

const firstPage = { limit: 100 };
const dayMs = 86_400_000;

/** The account's page and forms, for visitors who are signed in. */
export const accountRoutes: { get: Record<string, PageHandler>; post: Record<string, PageHandler> } = {
  get: { [paths.account]: (page) => showAccount(page) },
  post: {
    [paths.newToken]: (page) => withRefusal(page, () => newToken(page)),
    [paths.revokeToken]: (page) => withRefusal(page, () => remove(page, deleteUserToken, 'tokenId')),
    [paths.endSession]: (page) => withRefusal(page, () => remove(page, deleteUserSession, 'sessionId')),
    [paths.newPassword]: (page) => withRefusal(page, () => newPassword(page)),
    [paths.signOut]: async (page) => {
      await page.call(signOut, {});
      return { redirectTo: paths.signIn };
    },
  },
};

async function showAccount(
  page: WebPageRequest,
  more: Pick<Account, 'notice' | 'created'> = {},
  refused?: AppError,
): Promise<PageAnswer> {
  const why = refused === undefined ? {} : { refused };
  try {
    const session = await page.call(getSession, {});
    if (session.organization !== undefined) return { ...why, page: organizationAccountPage(session, more.notice) };
    const [tokens, sessions, logins] = await Promise.all([
      page.call(listUserTokens, { query: firstPage }),
      page.call(listUserSessions, { query: firstPage }),
      loginsOf(page, session),
    ]);
    return { ...why, page: accountPage({ session, tokens: tokens.items, sessions: sessions.items, logins, ...more }) };
  } catch (error) {
    if (error instanceof AppError && error.reason === 'unauthenticated') return { redirectTo: paths.signIn };
    throw error;
  }
}

async function loginsOf(
  page: WebPageRequest,
  { user: { email } }: OwnSession,
): Promise<readonly OrganizationSSOLogin[]> {
  if (email === undefined) return [];
  try {
    return (await page.call(listSSOLoginsForEmail, { query: { email } })).items;
  } catch (error) {
    // Such requests count for the address, which several people may share. The page is useful without the logins.
    if (error instanceof AppError && (error.reason === 'rate_limited' || error.reason === 'unavailable')) return [];
    throw error;
  }
}

async function newToken(page: WebPageRequest): Promise<PageAnswer> {
  const [label, days] = [field(page.request.body, 'label'), field(page.request.body, 'days')];
  const expiresAt = /^\d{1,4}$/.test(days)
    ? { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() }
    : {};
  const { token } = await page.call(createUserToken, { body: { label, ...expiresAt } });
  return showAccount(page, token === undefined ? {} : { created: { label, token } });
}

async function newPassword(page: WebPageRequest): Promise<PageAnswer> {
  const [password, current] = [field(page.request.body, 'password'), field(page.request.body, 'current')];
  await page.call(changePassword, { body: { password, ...(current === '' ? {} : { current }) } });
  return showAccount(page, {
    notice: { kind: 'good', text: 'Your new password is set. You are signed out everywhere else.' },
  });
}

async function remove(
  page: WebPageRequest,
  op: typeof deleteUserToken | typeof deleteUserSession,
  name: string,
): Promise<PageAnswer> {
  await page.call(op, { params: { [name]: field(page.request.body, 'id') } });
  return { redirectTo: paths.account };
}

/** Shows a refusal on the account's page. */
async function withRefusal(page: WebPageRequest, handle: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'unauthenticated') return { redirectTo: paths.signIn };
    return showAccount(page, { notice: { kind: 'bad', text: messageFor(error) } }, error);
  }
}
