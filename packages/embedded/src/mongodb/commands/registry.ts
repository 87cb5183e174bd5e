import type { Connection } from '../connection.js';
import type { Engine } from '../engine.js';
import { ServerError } from '../errors.js';
import type { Command, Reply } from '../wire.js';
import { adminCommands } from './admin.js';
import { authenticationCommands, requireAuthentication } from './authentication.js';
import { checkFields, type CommandSpec } from './command.js';
import { findAndModifyCommands } from './find-and-modify.js';
import { findCommands } from './find.js';
import { handshakeCommands } from './handshake.js';
import { indexCommands } from './indexes.js';
import { readCommands } from './read.js';
import { writeCommands } from './write.js';

const COMMANDS = new Map<string, CommandSpec>();
for (const spec of [
  ...handshakeCommands,
  ...authenticationCommands,
  ...findCommands,
  ...readCommands,
  ...writeCommands,
  ...findAndModifyCommands,
  ...indexCommands,
  ...adminCommands,
]) {
  for (const name of [spec.name, ...(spec.aliases ?? [])]) COMMANDS.set(name, spec);
}

/** Runs one command. Throws CommandNotFound (59) for names this server does not have, Unauthorized (13) before authentication. */
export function execute(engine: Engine, command: Command, connection: Connection): Reply | Promise<Reply> {
  const spec = COMMANDS.get(command.name);
  if (spec === undefined) throw new ServerError(59, `no such command: '${command.name}'`);
  requireAuthentication(engine, spec, connection);
  checkFields(spec, command);
  return spec.run(engine, command, connection);
}
