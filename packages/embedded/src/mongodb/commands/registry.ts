import type { Connection } from '../connection.js';
import type { Engine } from '../engine.js';
import { entries, textOf, type Elem } from '../bson/index.js';
import { ServerError } from '../bson/errors.js';
import { missingOption, object, text } from '../options.js';
import type { Command, Reply } from '../wire.js';
import { adminCommands } from './admin.js';
import { authenticationCommands, requireAuthentication } from './authentication.js';
import { checkOptions, prepare, type CommandSpec } from './command.js';
import { explain } from './explain.js';
import { findAndModifyCommands } from './find-and-modify.js';
import { findCommands } from './find.js';
import { handshakeCommands } from './handshake.js';
import { indexCommands } from './indexes.js';
import { readCommands } from './read.js';
import { sessionCommands } from './sessions.js';
import { statisticsCommands } from './statistics.js';
import { writeCommands } from './write.js';

const explainCommand: CommandSpec = {
  name: 'explain',
  value: object,
  options: { verbosity: text },
  reads: true,
  run: (engine, c) => {
    const verbosity = c.fields.get('verbosity');
    return explain(engine, explained(c), verbosity === undefined ? 'allPlansExecution' : textOf(verbosity));
  },
};

/** Every command of the server, each once. */
export const commands: readonly CommandSpec[] = [
  ...handshakeCommands,
  ...sessionCommands,
  ...authenticationCommands,
  ...findCommands,
  ...readCommands,
  explainCommand,
  ...writeCommands,
  ...findAndModifyCommands,
  ...indexCommands,
  ...adminCommands,
  ...statisticsCommands,
];

const BY_NAME = new Map(
  commands.flatMap((spec) => {
    const prepared = prepare(spec);
    return [spec.name, ...(spec.aliases ?? [])].map((name) => [name, prepared]);
  }),
);

/**
 * Runs one command. Throws CommandNotFound (59) for names this server does not have, Unauthorized (13) before
 * authentication.
 */
export function execute(engine: Engine, command: Command, connection: Connection): Reply | Promise<Reply> {
  const prepared = BY_NAME.get(command.name);
  if (prepared === undefined) throw new ServerError(59, `no such command: '${command.name}'`);
  requireAuthentication(engine, prepared.spec, connection);
  return prepared.spec.run(engine, checkOptions(prepared, command), connection);
}

/** The command inside an `explain`, with its options checked as if it were sent by itself. */
function explained(c: Command): Command {
  const inner = c.fields.get(c.name);
  if (inner === undefined) throw missingOption('explain', 'explain');
  const fields = new Map<string, Elem>(entries(inner));
  const [name = ''] = fields.keys();
  const prepared = BY_NAME.get(name);
  if (prepared === undefined) throw new ServerError(59, `Explain failed due to unknown command: ${name}`);
  const db = fields.get('$db');
  const command = checkOptions(prepared, { name, db: c.db, fields, sequences: new Map() });
  if (db !== undefined && textOf(db) !== c.db)
    throw new ServerError(73, `Mismatched $db in explain command. Expected ${c.db} but got ${textOf(db)}`);
  // The time limit of the whole counts, too.
  const limit = c.fields.get('maxTimeMS');
  return limit === undefined ? command : { ...command, fields: new Map([...command.fields, ['maxTimeMS', limit]]) };
}
