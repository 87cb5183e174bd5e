import {
  AppError, changePassword, createUserToken, deleteUserSession, deleteUserToken, getSession, listSSOLoginsForEmail, listUserSessions,
  listUserTokens, signOut, type OrganizationSSOLogin, type OwnSession,
} from '@scriptorium/contracts';
import { accountPage, organizationAccountPage, type Account } from './account.page.js';
import { field } from './form.js';
import { paths } from './paths.js';
import { wordsOf } from './sign-in.routes.js';
import type { Act, Answer, Visit } from './visit.js';

const shown = { limit: 100 };
const dayMs = 86_400_000;

/** The account's page and forms, for those who are signed in. */
export const accountRoutes: { get: Record<string, Act>; post: Record<string, Act> } = {
  get: { [paths.account]: (visit) => showAccount(visit) },
  post: {
    [paths.newToken]: (visit) => tried(visit, () => newToken(visit)),
    [paths.revokeToken]: (visit) => tried(visit, () => remove(visit, deleteUserToken, 'tokenId')),
    [paths.endSession]: (visit) => tried(visit, () => remove(visit, deleteUserSession, 'sessionId')),
    [paths.newPassword]: (visit) => tried(visit, () => newPassword(visit)),
    [paths.signOut]: async (visit) => {
      await visit.call(signOut, {});
      return { goTo: paths.signIn };
    },
  },
};

async function showAccount(visit: Visit, more: Pick<Account, 'notice' | 'made'> = {}, refused?: AppError): Promise<Answer> {
  const why = refused === undefined ? {} : { refused };
  try {
    const session = await visit.call(getSession, {});
    if (session.organization !== undefined) return { ...why, page: organizationAccountPage(session, more.notice) };
    const [tokens, sessions, logins] = await Promise.all([
      visit.call(listUserTokens, { query: shown }),
      visit.call(listUserSessions, { query: shown }),
      loginsOf(visit, session),
    ]);
    return { ...why, page: accountPage({ session, tokens: tokens.items, sessions: sessions.items, logins, ...more }) };
  } catch (error) {
    if (error instanceof AppError && error.reason === 'unauthenticated') return { goTo: paths.signIn };
    throw error;
  }
}

async function loginsOf(visit: Visit, { user: { email } }: OwnSession): Promise<readonly OrganizationSSOLogin[]> {
  if (email === undefined) return [];
  try {
    return (await visit.call(listSSOLoginsForEmail, { query: { email } })).items;
  } catch (error) {
    // Counted by address, which others share: the page is of use without them.
    if (error instanceof AppError && (error.reason === 'rate_limited' || error.reason === 'unavailable')) return [];
    throw error;
  }
}

async function newToken(visit: Visit): Promise<Answer> {
  const [label, days] = [field(visit.request.body, 'label'), field(visit.request.body, 'days')];
  const expiresAt = /^\d{1,4}$/.test(days) ? { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() } : {};
  const { token } = await visit.call(createUserToken, { body: { label, ...expiresAt } });
  return showAccount(visit, token === undefined ? {} : { made: { label, token } });
}

async function newPassword(visit: Visit): Promise<Answer> {
  const [password, current] = [field(visit.request.body, 'password'), field(visit.request.body, 'current')];
  await visit.call(changePassword, { body: { password, ...(current === '' ? {} : { current }) } });
  return showAccount(visit, { notice: { kind: 'good', text: 'The new password holds. You are signed out everywhere else.' } });
}

async function remove(visit: Visit, op: typeof deleteUserToken | typeof deleteUserSession, name: string): Promise<Answer> {
  await visit.call(op, { params: { [name]: field(visit.request.body, 'id') } });
  return { goTo: paths.account };
}

/** Shows a refusal on the page whose form it answers. */
async function tried(visit: Visit, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'unauthenticated') return { goTo: paths.signIn };
    return showAccount(visit, { notice: { kind: 'bad', text: wordsOf(error) } }, error);
  }
}
