import { AppError, reasonStatus, sendSignInLink, signIn, type Operation } from '@scriptorium/contracts';
import { field } from './form.js';
import { paths } from './paths.js';
import { linkPage, providersPage, sentPage, signInPage, type Provider } from './sign-in.page.js';
import type { Act, Answer, Visit } from './visit.js';

/** Pages and forms for those who are not signed in. */
export function signInRoutes(table: readonly Operation[]): { get: Record<string, Act>; post: Record<string, Act> } {
  // Present once organizations have providers.
  const findProviders = table.find(({ method, path }) => method === 'GET' && path === '/sso');
  return {
    get: {
      [paths.signIn]: () => Promise.resolve<Answer>({ status: 200, page: signInPage() }),
      [paths.link]: ({ request }) => Promise.resolve<Answer>({ status: 200, page: linkPage(linkOf(request.query)) }),
    },
    post: {
      [paths.byPassword]: byPassword,
      [paths.sendLink]: sendLink,
      [paths.byLink]: byLink,
      [paths.bySso]: (visit) => bySso(visit, findProviders),
    },
  };
}

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
    return { status: 200, page: sentPage() };
  });
};

const byLink: Act = async (visit) => {
  const [link, displayName] = [field(visit.request.body, 'link'), field(visit.request.body, 'displayName').trim()];
  try {
    await visit.call(signIn, { body: { link, ...(displayName === '' ? {} : { displayName }) } });
    return { goTo: paths.account };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'unauthenticated') return { status: 401, page: signInPage({ notice: { kind: 'bad', text: error.message } }) };
    return { status: reasonStatus[error.reason], page: linkPage(link, { kind: 'bad', text: wordsOf(error) }) };
  }
};

async function bySso(visit: Visit, op: Operation | undefined): Promise<Answer> {
  const email = field(visit.request.body, 'email').trim();
  if (op === undefined) return { status: 200, page: providersPage([]) };
  return again(visit, email, async () => {
    const { items } = (await visit.call(op, { query: { email } })) as unknown as { items?: Partial<Provider>[] };
    const providers = (items ?? []).map(({ title = '', label = '', startURL = '' }) => ({ title, label, startURL }));
    return { status: 200, page: providersPage(providers.filter(({ startURL }) => /^https?:\/\//.test(startURL))) };
  });
}

/** Shows a refusal beside the forms, which keep the address. */
async function again(visit: Visit, email: string, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: reasonStatus[error.reason], page: signInPage({ email, notice: { kind: 'bad', text: wordsOf(error) } }) };
  }
}

/** What a refusal says to a person: of a field, without the name that it has in the API. */
export function wordsOf({ reason, message, details, retryAfter }: AppError): string {
  if (reason === 'rate_limited' && retryAfter !== undefined) return `Too many tries. Wait ${Math.ceil(retryAfter)} s.`;
  const [first] = details;
  return reason === 'invalid_request' && first !== undefined ? first.message : message;
}
