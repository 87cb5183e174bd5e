import type { FastifyInstance } from 'fastify';

/**
 * Serves `/livez`, which is also `/healthz`, and `/readyz`, without details; those are on the administration port.
 * Returns the paths.
 */
export function registerHealth(fastify: FastifyInstance, isReady: () => Promise<boolean>): string[] {
  const serve = (path: string, isGood: () => Promise<boolean>): string => {
    fastify.get(path, { config: { probe: true } }, async (_request, reply) => {
      const good = await isGood();
      return reply
        .code(good ? 200 : 503)
        .header('content-type', 'text/plain; charset=utf-8')
        .send(good ? 'ok' : 'unavailable');
    });
    return path;
  };
  const isAlive = (): Promise<boolean> => Promise.resolve(true);
  return [serve('/livez', isAlive), serve('/healthz', isAlive), serve('/readyz', isReady)];
}
