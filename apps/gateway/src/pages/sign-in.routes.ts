import { AppError, listSSOLoginsForEmail, sendSignInLink, signIn } from '@scriptorium/contracts';
import { field } from './form.js';
import { paths } from './paths.js';
import { arrivedPage, linkPage, providersPage, sentPage, signInPage } from './sign-in.page.js';
import type { Act, Answer, Visit } from './visit.js';

/** Pages and forms for those who are not signed in. */
export const signInRoutes: { get: Record<string, Act>; post: Record<string, Act> } = {
  get: {
    [paths.signIn]: () => Promise.resolve<Answer>({ page: signInPage() }),
    [paths.link]: ({ request }) => Promise.resolve<Answer>({ page: linkPage(linkOf(request.query)) }),
    [paths.arrived]: () => Promise.resolve<Answer>({ page: arrivedPage() }),
  },
  post: {
    [paths.byPassword]: (visit) => byPassword(visit),
    [paths.sendLink]: (visit) => sendLink(visit),
    [paths.byLink]: (visit) => byLink(visit),
    [paths.bySso]: (visit) => bySso(visit),
  },
};

function linkOf(query: unknown): string {
  const { link } = query as { link?: unknown };
  return typeof link === 'string' ? link : '';
}

const byPassword: Act = async (visit) => {
  const [email, password] = [field(visit.request.body, 'email').trim(), field(visit.request.body, 'password')];
  return again(visit, email, async () => {
    await visit.call(signIn, { body: { email, password } });
    return { goTo: paths.account };
  });
};

const sendLink: Act = async (visit) => {
  const [email, purpose] = [field(visit.request.body, 'email').trim(), field(visit.request.body, 'purpose')];
  return again(visit, email, async () => {
    await visit.call(sendSignInLink, { body: { email, purpose: purpose === 'password' ? 'password' : 'sign-in' } });
    return { page: sentPage() };
  });
};

const byLink: Act = async (visit) => {
  const [link, displayName] = [field(visit.request.body, 'link'), field(visit.request.body, 'displayName').trim()];
  try {
    await visit.call(signIn, { body: { link, ...(displayName === '' ? {} : { displayName }) } });
    return { goTo: paths.account };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'unauthenticated') return { refused: error, page: signInPage({ notice: { kind: 'bad', text: error.message } }) };
    return { refused: error, page: linkPage(link, { kind: 'bad', text: wordsOf(error) }) };
  }
};

async function bySso(visit: Visit): Promise<Answer> {
  const email = field(visit.request.body, 'email').trim();
  return again(visit, email, async () => {
    const { items } = await visit.call(listSSOLoginsForEmail, { query: { email } });
    return { page: providersPage(items) };
  });
}

/** Shows a refusal beside the forms, which keep the address. */
async function again(visit: Visit, email: string, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: error, page: signInPage({ email, notice: { kind: 'bad', text: wordsOf(error) } }) };
  }
}

/** What a refusal says to a person: of a field, without the name that it has in the API. */
export function wordsOf({ reason, message, details, retryAfter }: AppError): string {
  if (reason === 'rate_limited' && retryAfter !== undefined) return `Too many tries. Wait ${Math.ceil(retryAfter)} s.`;
  const [first] = details;
  return reason === 'invalid_request' && first !== undefined ? first.message : message;
}
