import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Long, ObjectId, UUID, type Document } from 'mongodb';
import { genericRules } from './commands/generic.js';
import { indexRules } from './commands/index-options.js';
import { commands } from './commands/registry.js';
import { deleteRules, updateRules } from './commands/statements.js';
import { adminCases } from './test/admin-cases.js';
import { connect, failureOf, type AnyDocument, type Fixture } from './test/fixture.js';
import type { CommandCases, OptionCase, Tools } from './test/option-case.js';
import {
  COMMAND_OPTIONS,
  GENERIC_OPTIONS,
  INDEX_OPTIONS,
  OPEN_COMMANDS,
  STATEMENT_OPTIONS,
} from './test/real-options.js';
import { readCases } from './test/read-cases.js';
import { writeCases } from './test/write-cases.js';

const CASES: Readonly<Record<string, CommandCases>> = {
  ...adminCases,
  ...readCases,
  ...writeCases,
};

/** Their options are what authentication.conformance.spec.ts is about. */
const ELSEWHERE = ['saslStart', 'saslContinue'];

/** Options of all commands that one treats in its own way. */
const OVERRIDDEN = ['maxTimeMS'];

let fixture: Fixture;
beforeAll(async () => {
  fixture = await connect();
});
afterAll(() => fixture.close());

async function seeded(): Promise<Tools> {
  const { db } = fixture;
  const c = `c${new ObjectId().toHexString()}`;
  await db.collection<AnyDocument>(c).insertMany([
    { _id: 1, a: 3 },
    { _id: 2, a: 1 },
    { _id: 3, a: 2 },
  ]);
  await db.collection(c).createIndex({ a: 1 });
  return { db, c };
}

async function sent(cases: CommandCases, more: (t: Tools) => Document | Promise<Document>): Promise<[Document, Tools]> {
  const t = await seeded();
  const db = cases.admin === true ? fixture.client.db('admin') : t.db;
  return [await db.command({ ...(await cases.base(t)), ...(await more(t)) }), t];
}

const valueOf = ({ value }: OptionCase, t: Tools): unknown =>
  typeof value === 'function' ? (value as (t: Tools) => unknown)(t) : value;

/** Codes of a refusal, of the command or of its only statement; undefined when it was carried out. */
async function refusal(command: Promise<[Document, Tools]>): Promise<number | undefined> {
  try {
    const [reply] = await command;
    return (reply['writeErrors'] as Document[] | undefined)?.[0]?.['code'] as number | undefined;
  } catch (error) {
    return (error as { code: number }).code;
  }
}

/** What the field of a command's own name holds, where that has to be something special. */
const OWN: Readonly<Record<string, unknown>> = {
  endSessions: [],
  explain: { find: 'x' },
  getLog: 'global',
  getMore: Long.fromNumber(1),
  killSessions: [],
  refreshSessions: [],
  renameCollection: 'a.b',
};

const asked = (name: string, option: string): Promise<Document> =>
  fixture.client.db('admin').command({ [name]: OWN[name] ?? 1, [option]: 1 });

const closed = commands.filter(({ name }) => !OPEN_COMMANDS.includes(name));

describe('every command', () => {
  it('is in the table of what the real server takes', () => {
    expect(closed.map(({ name }) => name).sort()).toEqual(Object.keys(COMMAND_OPTIONS).sort());
    expect(
      commands
        .filter(({ lenient }) => lenient === true)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(OPEN_COMMANDS);
  });

  it.each(closed.map(({ name }) => name))('%s refuses a field that it does not have', async (name) => {
    expect(await failureOf(asked(name, 'strange'))).toMatchObject({
      code: 40415,
      codeName: 'IDLUnknownField',
      message: `BSON field '${name}.strange' is an unknown field.`,
    });
  });

  it.each(closed)('$name takes no option that the real server does not have', ({ name, options }) => {
    const real = [...(COMMAND_OPTIONS[name] ?? []), ...OVERRIDDEN];
    expect(Object.keys(options).filter((option) => !real.includes(option))).toEqual([]);
  });

  it.each(closed)('$name refuses the options of the real server that it lacks', async ({ name, options }) => {
    for (const option of COMMAND_OPTIONS[name] ?? []) {
      if (option in options) continue;
      const answer = await failureOf(asked(name, option));
      expect([option, answer.code]).toEqual([option, 40415]);
    }
  });

  it.each(closed.filter(({ name }) => !ELSEWHERE.includes(name)))('$name has a case for each option', (spec) => {
    expect(Object.keys(CASES[spec.name]?.options ?? {}).sort()).toEqual(Object.keys(spec.options).sort());
  });
});

/** Values of the options that every command takes, each with the code of its refusal, or 0 when it is taken. */
const GENERIC: Readonly<Record<string, readonly [number, unknown][]>> = {
  $db: [[14, 5]],
  $readPreference: [
    [0, { mode: 'nearest' }],
    [9, { mode: 'nobody' }],
    [2, { mode: 'primary', tags: [{ dc: 'x' }] }],
    [2, { mode: 'primary', maxStalenessSeconds: 100 }],
    [40414, {}],
    [14, 5],
  ],
  $clusterTime: [
    [0, {}],
    [14, 5],
  ],
  lsid: [
    [0, { id: new UUID() }],
    [14, 5],
    [14, { id: 5 }],
    [40414, {}],
    [40415, { id: new UUID(), strange: 1 }],
  ],
  comment: [[0, { any: 'thing' }]],
  maxTimeMS: [
    [0, 5000],
    [2, 'x'],
    [2, -1],
    [2, 1.5],
  ],
  stmtId: [
    [0, 1],
    [14, 'x'],
  ],
  txnNumber: [[20, 1]],
  autocommit: [[20, false]],
  startTransaction: [[20, true]],
  apiVersion: [
    [0, '1'],
    [322, '2'],
    [14, 1],
  ],
  apiStrict: [
    [238, true],
    [4886600, false],
    [14, 'x'],
  ],
  apiDeprecationErrors: [
    [4886600, true],
    [14, 'x'],
  ],
  readConcern: [
    [0, { level: 'majority' }],
    [9, { level: 'x' }],
    [9, 5],
  ],
  writeConcern: [[72, { w: 1 }]],
};

describe('an option of every command', () => {
  it('has a case, and is one of the real server', () => {
    const taken = Object.keys(genericRules({}));
    expect(Object.keys(GENERIC).sort()).toEqual([...taken].sort());
    expect(taken.filter((option) => !GENERIC_OPTIONS.includes(option))).toEqual([]);
  });

  it.each(Object.entries(GENERIC).flatMap(([option, values]) => values.map(([code, v]) => ({ option, code, v }))))(
    '$option is answered with code $code when it is $v',
    async ({ option, code, v }) => {
      const answer = await fixture.db.command({ explain: { find: 'c', [option]: v } }).catch((error: unknown) => error);
      expect((answer as { code?: number }).code ?? 0).toBe(code);
    },
  );

  it('is refused when only the real server has it', async () => {
    for (const option of GENERIC_OPTIONS.filter((one) => !(one in GENERIC)))
      expect([option, (await failureOf(asked('ping', option))).code]).toEqual([option, 40415]);
  });
});

const all = Object.entries(CASES).flatMap(([command, cases]) =>
  Object.entries(cases.options).map(([option, one]) => ({ command, option, cases, one })),
);

describe('an option', () => {
  const given =
    ({ option, one }: (typeof all)[number]) =>
    async (t: Tools) => ({ ...one.beside, [option]: await valueOf(one, t) });

  it.each(all.filter(({ one }) => one.refused !== undefined))('$command.$option is refused', async (each) => {
    expect(await refusal(sent(each.cases, given(each)))).toBe(each.one.refused);
  });

  it.each(all.filter(({ one }) => one.seen !== undefined))('$command.$option is honoured', async (each) => {
    const [reply, t] = await sent(each.cases, given(each));
    expect(await each.one.seen?.(reply, t)).toEqual(each.one.expected);
  });

  it.each(all.filter(({ one }) => one.idle !== undefined))('$command.$option is taken, as $one.idle', async (each) => {
    expect((await sent(each.cases, given(each)))[0]).toMatchObject({ ok: 1 });
    expect((await sent(each.cases, () => ({ [each.option]: null })))[0]).toMatchObject({ ok: 1 });
  });

  it.each(all.filter(({ one }) => one.wrong !== undefined))(
    '$command.$option is refused with a value of another type',
    async ({ cases, option, one }) => {
      expect(await refusal(sent(cases, () => ({ ...one.beside, [option]: one.wrong })))).toBe(one.code ?? 14);
    },
  );
});

describe('statements and indexes', () => {
  it.each([
    ['update', 'updates', { q: {}, u: { $set: { b: 1 } } }, updateRules],
    ['delete', 'deletes', { q: {}, limit: 1 }, deleteRules],
  ])('of %s refuse what they do not have', async (command, list, statement, rules) => {
    const { db, c } = await seeded();
    for (const field of ['strange', ...(STATEMENT_OPTIONS[command] ?? [])]) {
      if (rules.has(field)) continue;
      const reply = await db.command({
        [command]: c,
        [list]: [{ ...statement, [field]: 1 }],
      });
      expect([field, reply['writeErrors']]).toEqual([
        field,
        [
          {
            index: 0,
            code: 40415,
            errmsg: `BSON field '${command}.${list}.${field}' is an unknown field.`,
          },
        ],
      ]);
    }
    expect([...rules.keys()].filter((field) => STATEMENT_OPTIONS[command]?.includes(field) !== true)).toEqual([]);
  });

  it('have a rule for every option of an index, and no other', () => {
    expect([...indexRules.keys()].sort()).toEqual([...INDEX_OPTIONS].sort());
  });
});
