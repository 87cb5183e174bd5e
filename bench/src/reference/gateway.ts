import type { AddressInfo } from 'node:net';
import { connect } from '@nats-io/transport-node';
import { fastify } from 'fastify';

/** The least that a gateway over NATS can do: a route, a request, the reply's bytes. */
const connection = await connect({ servers: process.env['NATS_URL'] ?? '' });
const server = fastify();
const nothing = new TextEncoder().encode('{}');
server.get('/v1/orgs/:organizationId/teams/:teamId', async (_request, reply) => {
  const answer = await connection.request('reference.team', nothing, { timeout: 10_000 });
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.data);
});
server.get<{ Params: { bytes: string } }>('/bodies/:bytes', async ({ params }, reply) => {
  const answer = await connection.request('reference.body', params.bytes, { timeout: 10_000 });
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.data);
});
await server.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ ready: true, port: (server.server.address() as AddressInfo).port });
process.once('disconnect', () => process.exit(0));
