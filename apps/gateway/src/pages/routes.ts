import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@scriptorium/contracts';
import { toAppError } from '../http/errors.js';
import { refuseTarget, type Hook } from '../http/accept.js';
import type { Logger } from '../server/logger.js';
import { accountRoutes } from './account.routes.js';
import { formLimit, readForms, pageRequest, sendPage, type PageDeps, type PageHandler } from './page-request.js';
import { problemPage } from './sign-in.page.js';
import { messageFor, signInRoutes } from './sign-in.routes.js';
import { viewRoutes } from './view.routes.js';

/**
 * Serves the sign-in page and the account's pages: HTML that works without scripts, made here from answers of the
 * services. Returns the paths that are read with GET.
 */
export async function registerPages(fastify: FastifyInstance, deps: PageDeps, logger: Logger): Promise<string[]> {
  const routes = [signInRoutes, accountRoutes, viewRoutes(deps.config)];
  const get = Object.assign({}, ...routes.map((one) => one.get)) as Record<string, PageHandler>;
  const post = Object.assign({}, ...routes.map((one) => one.post)) as Record<string, PageHandler>;
  const answer = (handle: PageHandler) => async (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(reply, await handle(pageRequest(deps, request, reply)));
  await fastify.register((scope, _options, done) => {
    readForms(scope);
    scope.setErrorHandler((error, request, reply) => {
      const problem = toAppError(error);
      logUnexpected(problem, request, logger);
      return sendPage(reply, { refused: problem, page: problemPage(messageFor(problem)) });
    });
    for (const [path, handle] of Object.entries(get)) scope.get(path, { onRequest: checkTarget }, answer(handle));
    for (const [path, handle] of Object.entries(post)) {
      scope.post(path, { bodyLimit: formLimit, onRequest: [checkTarget, requireSameOrigin(deps)] }, answer(handle));
    }
    done();
  });
  return Object.keys(get).map((path) => path.replace(/:(\w+)/g, '{$1}'));
}

const checkTarget: Hook = (request, _reply, done) => done(refuseTarget(request.raw.url ?? ''));

/**
 * Accepts forms from pages of this origin only: pages of another origin could send forms that their visitors did not
 * want (CSRF).
 */
function requireSameOrigin({ cookie }: PageDeps): Hook {
  return (request, _reply, done) => {
    if (cookie.isSameOrigin(request)) return done();
    done(
      new AppError('forbidden', [], {
        message:
          'Forms are accepted from pages of this origin only; open this page at the public address of the installation',
      }),
    );
  };
}

function logUnexpected(error: AppError, request: FastifyRequest, logger: Logger): void {
  if (error.reason === 'unexpected')
    logger.error({ err: error.cause ?? error, requestId: request.id }, 'A page failed unexpectedly');
}
