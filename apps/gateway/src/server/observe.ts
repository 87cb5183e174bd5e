import type { FastifyInstance } from 'fastify';

/** Is called once for each answered request of an operation; `outcome` is `ok` or the reason of the refusal. */
export type Observe = (answer: {
  operation: string;
  outcome: string;
  status: number;
  milliseconds: number;
  requestId: string;
}) => void;

/** Reports every answered request of an operation to `observe`. */
export function observeAnswers(fastify: FastifyInstance, observe: Observe): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation?.id;
    if (operation !== undefined) {
      observe({
        operation,
        outcome: request.refusedFor ?? 'ok',
        status: reply.statusCode,
        milliseconds: request.streamedAfterMs ?? reply.elapsedTime,
        requestId: request.id,
      });
    }
    done();
  });
}
