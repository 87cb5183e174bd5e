import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { tempFolders } from '../../test/temp-folder.js';
import { readConversations } from './read-conversations.js';

const folder = tempFolders()();
const now = Date.parse('2026-11-28T00:00:00Z');
/** The time of the lines that separate messages. */
const separated = '2026-11-23T10:00:00.000Z';

interface Headers {
  from?: string;
  id?: string;
  date?: string;
  [name: string]: string | undefined;
}

const message = ({ from = 'Ann <ann@customer.example>', id, date, ...headers }: Headers, body: string): string => {
  const all = { From: from, ...(id === undefined ? {} : { 'Message-ID': `<${id}>` }), Date: date, ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `From x@y Mon Nov 23 10:00:00 2026\n${lines.join('\n')}\n\n${body}\n\n`;
};
const read = async (name: string, messages: readonly string[], team: readonly string[] = []) => {
  const path = join(folder, name);
  await writeFile(path, messages.join(''), 'latin1');
  return readConversations(path, { team, now });
};
const part = (role: string, body: string) => ({ type: 'message', role, body: expect.stringContaining(body) });

describe('a mailbox', () => {
  it('has a conversation for each thread, in the order of time', async () => {
    const { found, warnings } = await read('threads.mbox', [
      message(
        {
          id: 'c',
          from: 'ann@customer.example',
          date: 'Wed, 25 Nov 2026 10:00:00 +0100',
          References: '<a> <b>',
          Subject: 'Re: Export',
        },
        'Still fails',
      ),
      message(
        { id: 'a', date: 'Mon, 23 Nov 2026 10:00:00 +0000', Subject: 'AW: Re: Export' },
        'It fails\n>From the start\nFrom here on',
      ),
      message(
        { id: 'b', from: 'Bob <bob@ours.example>', date: 'Tue, 24 Nov 2026 10:00:00 +0000', 'In-Reply-To': '<a>' },
        'Which one?',
      ),
      message(
        {
          id: 'z',
          from: 'Eve <eve@customer.example>',
          date: 'Mon, 23 Nov 2026 11:00:00 +0000',
          Subject: '=?utf-8?q?Gr=C3=BC=C3=9Fe?=',
        },
        'Another one',
      ),
      message({ id: 'a', date: 'Mon, 23 Nov 2026 10:00:00 +0000', Subject: 'Export' }, 'It fails'),
    ]);
    expect(warnings).toEqual([]);
    expect(found.map(({ conversation }) => conversation)).toEqual([
      {
        id: 'a',
        subject: 'Export',
        parts: [
          part('user', 'It fails\nFrom the start\nFrom here on'),
          part('team-member', 'Which one?'),
          part('user', 'Still fails'),
        ],
        metadata: { createdAt: '2026-11-23T10:00:00.000Z' },
      },
      {
        id: 'z',
        subject: 'Grüße',
        parts: [part('user', 'Another one')],
        metadata: { createdAt: '2026-11-23T11:00:00.000Z' },
      },
    ]);
    expect(found[1]?.where).toBe(`${join(folder, 'threads.mbox')}: message 4`);
  });

  it('has the same ids of threads when a reply is sent alone', async () => {
    const { found } = await read('reply.mbox', [message({ id: 'c', References: '<a> <b>' }, 'Still fails')]);
    expect(found[0]?.conversation.id).toBe('a');
  });

  it('is read by the addresses of the own people', async () => {
    const { found } = await read(
      'team.mbox',
      [
        message({ id: 'a', from: 'bob@ours.example' }, 'We have news'),
        message({ id: 'b', 'In-Reply-To': '<a>' }, 'What is new?'),
        message({ id: 'c', from: 'eve@other.example', 'In-Reply-To': '<b>' }, 'I ask, too'),
        message({ id: 'd', 'In-Reply-To': '<c>', 'Auto-Submitted': 'auto-replied' }, 'I am away'),
      ],
      ['ours.example'],
    );
    expect(found.map(({ conversation }) => conversation.parts.map(({ role }) => role))).toEqual([
      ['team-member', 'user', 'user', 'assistant'],
    ]);
  });

  it('has texts of MIME: parts, encodings and HTML', async () => {
    const mixed = [
      '--x',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=FC=DFe',
      '--x',
      'Content-Type: text/html',
      '',
      '<p>no</p>',
      '--x--',
    ].join('\n');
    const { found } = await read('mime.mbox', [
      message({ id: 'a', 'Content-Type': 'multipart/alternative; boundary=x' }, mixed),
      message({ id: 'b', 'Content-Type': 'text/html; charset=utf-8' }, '<p>only</p>'),
      message({ id: 'c', date: 'Mon, 23 Nov 2099 10:00:00 +0000' }, 'From the future'),
      message({}, 'without an id'),
      message({ id: 'e' }, ''),
    ]);
    expect(found.map(({ conversation: { id, parts, metadata } }) => [id, parts[0]?.body.trim(), metadata])).toEqual([
      ['a', 'Grüße', { createdAt: separated }],
      ['b', expect.stringContaining('only'), { createdAt: separated }],
      ['c', 'From the future', { createdAt: separated }],
      [expect.stringMatching(/^[0-9a-f]{64}$/), 'without an id', { createdAt: separated }],
    ]);
  });

  it('tells where a time is from that no header Date tells, and when there is none', async () => {
    const hop = (date: string) => `from mx.example by in.example (Mail); ${date}`;
    const from = (line: string, text: string) => text.replace(/^From .*/, `From ${line}`);
    const { found, warnings } = await read('times.mbox', [
      message({ id: 'a', date: 'Mon, 30 Feb 2026 10:00:00 +0000' }, 'No such day'),
      message({ id: 'b', Received: hop('Fri, 20 Nov 2026 09:00:00 +0100 (CET)') }, 'Received'),
      message({ id: 'c', date: 'soon', Received: `${hop('20 Nov 2026 9:00 GMT')}\nReceived: from mx 2` }, 'Twice'),
      from('x@y Sun Nov 22 10:00:00 +0100 2026', message({ id: 'd' }, 'With a zone')),
      from('x Tue Feb 30 10:00:00 2026', message({ id: 'e' }, 'None at all')),
      message({ id: 'f', date: 'Sun, 22 Nov 2026 10:00:00' }, 'Without a zone'),
    ]);
    expect(found.map(({ conversation: { metadata } }) => metadata?.createdAt)).toEqual([
      separated,
      '2026-11-20T08:00:00.000Z',
      '2026-11-20T09:00:00.000Z',
      '2026-11-22T09:00:00.000Z',
      undefined,
      '2026-11-22T10:00:00.000Z',
    ]);
    expect(warnings.map((line) => line.replace(/^.*: message /, ''))).toEqual([
      `1 has no usable header Date; its time is taken from the line "From ": ${separated}`,
      expect.stringMatching(/^2 .*taken from a header Received: 2026-11-20T08:00:00\.000Z$/),
      expect.stringMatching(/^3 .*taken from a header Received/),
      expect.stringMatching(/^4 .*taken from the line "From "/),
      '5 has no usable header Date; a conversation that begins with it begins now',
    ]);
  });

  it('may have messages that refer to each other, and very long references', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `<m${index}>`).join(' ');
    const { found } = await read('loop.mbox', [
      message({ id: 'a', 'In-Reply-To': '<b>' }, 'one'),
      message({ id: 'b', 'In-Reply-To': '<a>' }, 'two'),
      message({ id: `${'l'.repeat(300)}@x` }, 'three'),
      message({ id: 'm', References: many }, 'four'),
    ]);
    expect(found.map(({ conversation: { id, parts } }) => [id.length, parts.length])).toEqual([
      [1, 2],
      [64, 1],
      [2, 1],
    ]);
  });
});
