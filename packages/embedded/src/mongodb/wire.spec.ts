import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { commands } from './commands/registry.js';
import { checkOptions, prepare } from './commands/command.js';
import { ServerError } from './bson/errors.js';
import { OP_MSG, OP_QUERY, parseMessage, type Command } from './wire.js';

// What no client sends: fields given twice, and sequences of documents that a command does not have.
function message(body: Buffer, ...sections: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(20), Buffer.from([0]), body, ...sections]);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(OP_MSG, 12);
  return bytes;
}

function sequence(name: string, ...documents: readonly object[]): Buffer {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((doc) => Buffer.from(serialize(doc)))]);
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeInt32LE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const parsed = (bytes: Buffer): Command | ServerError => parseMessage(bytes).command;

function checked(bytes: Buffer): unknown {
  const command = parsed(bytes);
  if (command instanceof ServerError) return command;
  const spec = commands.find(({ name }) => name === command.name);
  if (spec === undefined) throw new Error(`no command ${command.name}`);
  try {
    return checkOptions(prepare(spec), command);
  } catch (error) {
    return error;
  }
}

describe('a message', () => {
  it('with a field twice is refused', () => {
    const body = Buffer.from(serialize({ find: 'c', limit: 1, limiu: 2, $db: 'x' }));
    body.write('limit', body.indexOf('limiu'));
    expect(parsed(message(body))).toMatchObject({
      code: 40413,
      message: "BSON field 'find.limit' is a duplicate field",
    });
  });

  it('with documents of a field that the command does not have is refused', () => {
    const body = Buffer.from(serialize({ insert: 'c', $db: 'x' }));
    expect(checked(message(body, sequence('documents', {})))).toMatchObject({ name: 'insert' });
    expect(checked(message(body, sequence('strange', {})))).toMatchObject({ code: 40415 });
  });

  it('with the documents both inside and beside the body is refused', () => {
    const body = Buffer.from(serialize({ insert: 'c', documents: [{}], $db: 'x' }));
    expect(checked(message(body, sequence('documents', {})))).toMatchObject({ code: 40413 });
  });

  it.each([
    ['admin.$cmd', { isMaster: 1 }, { name: 'isMaster', db: 'admin' }],
    ['x.$cmd', { find: 'c' }, { code: 352 }],
    ['x.things', { a: 1 }, { code: 5739101 }],
  ])('in the old way asks for nothing but a hello: %s %j', (ns, body, expected) => {
    const bytes = Buffer.concat([
      Buffer.alloc(20),
      Buffer.from(`${ns}\0`),
      Buffer.alloc(8),
      Buffer.from(serialize(body)),
    ]);
    bytes.writeInt32LE(bytes.length, 0);
    bytes.writeInt32LE(OP_QUERY, 12);
    expect(parsed(bytes)).toMatchObject(expected);
  });

  it('with an option that is null is as good as one without it', () => {
    const body = Buffer.from(serialize({ find: 'c', limit: null, $db: 'x' }));
    expect([...(checked(message(body)) as Command).fields.keys()]).toEqual(['find', '$db']);
  });
});
