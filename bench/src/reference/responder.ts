import { connect } from '@nats-io/transport-node';

/**
 * Answers every request of the reference chain with one and the same team, or with a body of the size that is asked
 * for.
 */
const team = new TextEncoder().encode(
  JSON.stringify({
    object: 'team',
    id: 'Zt3kQp0vX8mB2nLc',
    title: 'Developer documentation',
    members: 10,
    spaces: 0,
    createdAt: '2026-01-15T09:30:00.000Z',
    permissions: { admin: true, view: true },
    urls: { location: 'http://127.0.0.1:8080/v1/orgs/Vb7yRw1cT5uJ9hDe/teams/Zt3kQp0vX8mB2nLc' },
  }),
);

const connection = await connect({ servers: process.env['NATS_URL'] ?? '' });
connection.subscribe('reference.team', {
  queue: 'reference',
  callback: (_error, message) => void message.respond(team),
});
const bodies = new Map<string, Uint8Array>();
connection.subscribe('reference.body', {
  queue: 'reference',
  callback: (_error, message) => {
    const bytes = message.string();
    const body = bodies.get(bytes) ?? new TextEncoder().encode(`"${'x'.repeat(Math.max(0, Number(bytes) - 2))}"`);
    bodies.set(bytes, body);
    message.respond(body);
  },
});
await connection.flush();
process.send?.({ ready: true });
process.once('disconnect', () => process.exit(0));
