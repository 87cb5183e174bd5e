import type { Engine } from '../engine.js';
import { items } from '../bson/index.js';
import type { Command, Reply } from '../wire.js';
import type { CommandSpec } from './command.js';
import { sessionKey, sessions } from './generic.js';

const TIMEOUT_MINUTES = 30;

const startSession = (): Reply => ({
  id: { id: { $uuid: Buffer.from(crypto.getRandomValues(new Uint8Array(16))) } },
  timeoutMinutes: TIMEOUT_MINUTES,
});

/** Ends sessions: with them go the cursors that were opened in them. */
function end(engine: Engine, c: Command): Reply {
  engine.cursors.killSessions(new Set(namedIn(c)));
  return {};
}

/** As `end`, but none named means all of the user, who is the only one. */
function kill(engine: Engine, c: Command): Reply {
  const named = namedIn(c);
  engine.cursors.killSessions(named.length === 0 ? undefined : new Set(named));
  return {};
}

function namedIn(c: Command): string[] {
  const named = c.fields.get(c.name);
  return named === undefined ? [] : items(named).map(sessionKey);
}

/** Sessions are known by their cursors alone, and a cursor counts its own time, so there is nothing to be made new. */
const refresh = (): Reply => ({});

export const sessionCommands: readonly CommandSpec[] = [
  { name: 'startSession', options: {}, run: startSession },
  { name: 'endSessions', value: sessions, options: {}, run: end },
  { name: 'killSessions', value: sessions, options: {}, run: kill },
  { name: 'refreshSessions', value: sessions, options: {}, run: refresh },
];
