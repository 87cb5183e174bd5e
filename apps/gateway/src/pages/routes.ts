import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@scriptorium/contracts';
import { toAppError } from '../http/errors.js';
import type { Hook } from '../http/hook.js';
import { refuseTarget } from '../http/target.js';
import type { Logger } from '../ports.js';
import { accountRoutes } from './account.routes.js';
import { formLimit, readForms } from './form.js';
import { problemPage } from './sign-in.page.js';
import { signInRoutes, wordsOf } from './sign-in.routes.js';
import { give, visit, type Act, type PageDeps } from './visit.js';

/**
 * Serves the sign-in page and what follows it: plain HTML, made here from what the services answer, that works without a
 * script. Returns the paths that are read with GET.
 */
export async function registerPages(fastify: FastifyInstance, deps: PageDeps, logger: Logger): Promise<string[]> {
  const routes = [signInRoutes, accountRoutes];
  const get = Object.assign({}, ...routes.map((one) => one.get)) as Record<string, Act>;
  const post = Object.assign({}, ...routes.map((one) => one.post)) as Record<string, Act>;
  const answer = (act: Act) => async (request: FastifyRequest, reply: FastifyReply) => {
    const given = await act(visit(deps, request, reply));
    return give(reply, given);
  };
  await fastify.register((scope, _options, done) => {
    readForms(scope);
    scope.setErrorHandler((error, request, reply) => {
      const problem = toAppError(error);
      note(problem, request, logger);
      return give(reply, { refused: problem, page: problemPage(wordsOf(problem)) });
    });
    for (const [path, act] of Object.entries(get)) scope.get(path, { onRequest: acceptTarget }, answer(act));
    for (const [path, act] of Object.entries(post)) {
      scope.post(path, { bodyLimit: formLimit, onRequest: [acceptTarget, fromHere(deps)] }, answer(act));
    }
    done();
  });
  return Object.keys(get);
}

const acceptTarget: Hook = (request, _reply, done) => done(refuseTarget(request.raw.url ?? '') ?? undefined);

/** Forms are taken from these pages alone: others could have their visitors do here what they never meant to. */
function fromHere({ cookie }: PageDeps): Hook {
  return (request, _reply, done) => {
    if (cookie.isFromHere(request)) return done();
    done(new AppError('forbidden', [], { message: 'This form works from the pages of this address alone: open the address under which the installation is known' }));
  };
}

function note(error: AppError, request: FastifyRequest, logger: Logger): void {
  if (error.reason === 'unexpected') logger.error({ err: error.cause ?? error, requestId: request.id }, 'A page failed unexpectedly');
}
