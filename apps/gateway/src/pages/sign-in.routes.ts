import { AppError, listSSOLoginsForEmail, sendSignInLink, signIn } from '@scriptorium/contracts';
import { field, type PageAnswer, type PageHandler, type WebPageRequest, paths } from './page-request.js';
import { confirmPage, linkPage, linkSentPage, providersPage, signedInPage, signInPage } from './sign-in.page.js';

/** Pages and forms for visitors who are not signed in. */
export const signInRoutes: { get: Record<string, PageHandler>; post: Record<string, PageHandler> } = {
  get: {
    [paths.signIn]: () => Promise.resolve({ page: signInPage() }),
    [paths.link]: ({ request }) => Promise.resolve({ page: linkPage(linkOf(request.query)) }),
    [paths.confirm]: ({ request }) => Promise.resolve({ page: confirmPage(providerOf(request.query)) }),
    [paths.arrived]: () => Promise.resolve({ page: signedInPage() }),
  },
  post: {
    [paths.byPassword]: (page) => signInByPassword(page),
    [paths.sendLink]: (page) => sendLink(page),
    [paths.byLink]: (page) => signInByLink(page),
    [paths.bySso]: (page) => findProviders(page),
  },
};

/** Ids have letters and digits alone; null for anything else. */
function providerOf(query: unknown): string | null {
  const { provider } = query as { provider?: unknown };
  return typeof provider === 'string' && /^[A-Za-z0-9]{1,64}$/.test(provider) ? provider : null;
}

function linkOf(query: unknown): string {
  const { link } = query as { link?: unknown };
  return typeof link === 'string' ? link : '';
}

async function signInByPassword(page: WebPageRequest): Promise<PageAnswer> {
  const [email, password] = [field(page.request.body, 'email').trim(), field(page.request.body, 'password')];
  return withRefusal(email, async () => {
    await page.call(signIn, { body: { email, password } });
    return { redirectTo: paths.account };
  });
}

async function sendLink(page: WebPageRequest): Promise<PageAnswer> {
  const [email, purpose] = [field(page.request.body, 'email').trim(), field(page.request.body, 'purpose')];
  return withRefusal(email, async () => {
    await page.call(sendSignInLink, { body: { email, purpose: purpose === 'password' ? 'password' : 'sign-in' } });
    return { page: linkSentPage() };
  });
}

async function signInByLink(page: WebPageRequest): Promise<PageAnswer> {
  const [link, displayName] = [field(page.request.body, 'link'), field(page.request.body, 'displayName').trim()];
  try {
    await page.call(signIn, { body: { link, ...(displayName === '' ? {} : { displayName }) } });
    return { redirectTo: paths.account };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'unauthenticated')
      return { refused: error, page: signInPage({ notice: { kind: 'bad', text: error.message } }) };
    return { refused: error, page: linkPage(link, { kind: 'bad', text: messageFor(error) }) };
  }
}

async function findProviders(page: WebPageRequest): Promise<PageAnswer> {
  const email = field(page.request.body, 'email').trim();
  return withRefusal(email, async () => {
    const { items } = await page.call(listSSOLoginsForEmail, { query: { email } });
    return { page: providersPage(items) };
  });
}

/** Shows a refusal on the sign-in page, with the address that the visitor typed. */
async function withRefusal(email: string, handle: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: error, page: signInPage({ email, notice: { kind: 'bad', text: messageFor(error) } }) };
  }
}

/** The message of a refusal for a person: without the name of the field in the API. */
export function messageFor({ reason, message, details, retryAfter }: AppError): string {
  if (reason === 'rate_limited' && retryAfter !== undefined)
    return `Too many attempts. Wait ${Math.ceil(retryAfter)} s.`;
  const [first] = details;
  return reason === 'invalid_request' && first !== undefined ? first.message : message;
}
