import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { tempFolders } from '../../test/temp-folder.js';
import { readConversations } from './read-conversations.js';

const folder = tempFolders()();
const options = { team: [], now: Date.now() };
const read = async (name: string, content: unknown) => {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  const { found } = await readConversations(path, options);
  return found.map(({ conversation }) => conversation);
};
const message = (role: string, body: string) => ({ type: 'message', role, body });

describe('conversations of a file', () => {
  it('are those of its lines', async () => {
    const one = { id: 'a', parts: [message('user', 'Hello')] };
    expect(await read('some.jsonl', `${JSON.stringify(one)}\n\n`)).toEqual([one]);
  });

  it('are tickets of Zendesk', async () => {
    const comments = [
      { author_id: 7, plain_body: 'It fails', html_body: '<p>It fails</p>' },
      { author_id: 8, body: 'Which one?' },
      { author_id: 7, body: ' ' },
    ];
    const ticket = { id: 35, subject: 'Export', requester_id: 7, created_at: '2026-01-02T03:04:05Z', comments };
    const bare = { id: 36, description: 'No comments', url: 'https://x.example/36' };
    expect(await read('zendesk.json', { tickets: [ticket, bare, null, { id: 37 }] })).toEqual([
      {
        id: '35',
        subject: 'Export',
        parts: [message('user', 'It fails'), message('team-member', 'Which one?')],
        metadata: { createdAt: '2026-01-02T03:04:05.000Z' },
      },
      { id: '36', parts: [message('user', 'No comments')], metadata: { url: 'https://x.example/36' } },
    ]);
  });

  it('are those of Intercom', async () => {
    const conversation = {
      id: '9',
      created_at: 1_767_323_045,
      source: { subject: 'Hi\nthere', body: '<p>It fails</p>', author: { type: 'lead' } },
      conversation_parts: {
        conversation_parts: [
          { body: 'One moment', author: { type: 'bot' } },
          { body: null, author: { type: 'admin' } },
          { body: 'Which one?', author: { type: 'admin' } },
        ],
      },
    };
    expect(await read('intercom.json', { conversations: [conversation] })).toEqual([
      {
        id: '9',
        subject: 'Hi there',
        parts: [
          message('user', '<p>It fails</p>'),
          message('assistant', 'One moment'),
          message('team-member', 'Which one?'),
        ],
        metadata: { createdAt: '2026-01-02T03:04:05.000Z' },
      },
    ]);
  });

  it('are tickets one a line, in lists, in audits, or alone', async () => {
    const ticket = (id: number, more: object) => ({ id, requester_id: 7, ...more });
    const one = ticket(1, { comments: [{ author_id: 7, public: true, html_body: '<p>It fails</p>' }] });
    const events = [{ type: 'Change' }, { type: 'Comment', public: true, body: 'Why?' }];
    const audited = ticket(2, { audits: [{ author_id: 7, events }] });
    const two = [
      { id: '1', parts: [message('user', '<p>It fails</p>')], metadata: {} },
      { id: '2', parts: [message('user', 'Why?')], metadata: {} },
    ];
    expect(await read('lines.json', `${JSON.stringify(one)}\n${JSON.stringify(audited)}\n`)).toEqual(two);
    expect(await read('tickets.jsonl', `${JSON.stringify(one)}\n${JSON.stringify(audited)}\n`)).toEqual(two);
    expect(await read('pages.json', [{ tickets: [one] }, { tickets: [audited] }])).toEqual(two);
    expect(await read('one.json', one)).toEqual(two.slice(0, 1));
  });

  it('of Zendesk have no internal notes, deleted tickets and redacted comments', async () => {
    const comment = (author_id: number, body: string, more = {}) => ({ author_id, body, public: true, ...more });
    const comments = [
      comment(7, 'It fails'),
      comment(8, 'The customer is rude', { public: false }),
      comment(9, 'For me, too'),
      comment(-1, 'We are looking at it'),
      comment(8, '▇▇▇▇'),
      { ...comment(10, 'Me three'), author: { id: 10, role: 'end-user' } },
      comment(8, 'Done'),
    ];
    const tickets = [
      { id: 1, requester_id: 7, description: 'It fails', comments },
      { id: 2, requester_id: 7, status: 'deleted', comments },
      { id: 3, requester_id: 7, description: 'A note', comments: [comment(8, 'A note', { public: false })] },
      { id: 4, requester_id: 7, description: 'A note', is_public: false },
    ];
    const users = [
      { id: 8, role: 'agent' },
      { id: 9, role: 'end-user' },
    ];
    expect(await read('notes.json', { tickets, users })).toEqual([
      {
        id: '1',
        parts: [
          message('user', 'It fails'),
          message('user', 'For me, too'),
          message('assistant', 'We are looking at it'),
          message('user', 'Me three'),
          message('team-member', 'Done'),
        ],
        metadata: {},
      },
    ]);
  });

  it('of Intercom have no notes, redacted parts and what is told to the team alone', async () => {
    const part = (part_type: string, type: string, body: string | null, more = {}) => ({
      type: 'conversation_part',
      part_type,
      author: { type },
      body,
      redacted: false,
      ...more,
    });
    const parts = [
      part('note', 'admin', '<p>The customer is rude</p>'),
      part('note_and_reopen', 'admin', 'Rude again'),
      part('participant_added', 'admin', 'Somebody came'),
      part('assignment', 'bot', null),
      part('comment', 'lead', 'This was my password', { redacted: true }),
      part('comment', 'contact', 'And now?'),
      part('comment', 'admin', 'An answer', { author: { type: 'admin', from_ai_agent: true } }),
      part('close', 'admin', 'Done'),
    ];
    const source = { subject: '<p>Export</p>', body: 'It fails', author: { type: 'user' }, redacted: false };
    const conversation = { type: 'conversation', id: '9', title: null, source, conversation_parts: parts };
    const redacted = {
      ...conversation,
      id: '10',
      source: { ...source, redacted: true },
      conversation_parts: { conversation_parts: [] },
    };
    const read9 = {
      id: '9',
      subject: 'Export',
      parts: [
        message('user', 'It fails'),
        message('user', 'And now?'),
        message('assistant', 'An answer'),
        message('team-member', 'Done'),
      ],
      metadata: {},
    };
    expect(await read('intercom-notes.json', { conversations: [conversation, redacted] })).toEqual([read9]);
    expect(await read('intercom.jsonl', JSON.stringify(conversation))).toEqual([read9]);
  });

  it('are sent with a time that is none, so that it is refused and not taken for another day', async () => {
    const ticket = { id: 1, requester_id: 7, description: 'It fails', created_at: '2026-02-30T10:00:00Z' };
    const conversation = { id: 2, created_at: 1e30, source: { body: 'It fails', author: { type: 'user' } } };
    const times = [
      ...(await read('days.json', { tickets: [ticket] })),
      ...(await read('seconds.json', { conversations: [conversation] })),
    ].map(({ metadata }) => metadata?.createdAt);
    expect(times).toEqual(['2026-02-30T10:00:00Z', '1e+30']);
  });

  it('have no half of a character at their end', async () => {
    const body = `${'a'.repeat(65_535)}😀`;
    const [found] = await read('long.json', {
      tickets: [{ id: 1, requester_id: 7, comments: [{ author_id: 7, body }] }],
    });
    expect(found?.parts[0]?.body).toBe('a'.repeat(65_535));
  });

  it('are refused where the file is something else', async () => {
    await expect(readConversations(join(folder, 'none.jsonl'), options)).rejects.toThrow('there is no file');
    await expect(read('bad.jsonl', '{"id":"a"}\nno')).rejects.toThrow('bad.jsonl:2 is not JSON');
    await expect(read('list.jsonl', '[]')).rejects.toThrow('list.jsonl:1 is no object');
    await expect(read('empty.jsonl', ' \n')).rejects.toThrow('empty.jsonl is empty');
    await expect(read('empty.mbox', '')).rejects.toThrow('empty.mbox is empty');
    await expect(read('none.json', { tickets: [] })).rejects.toThrow('has no conversations');
    await expect(read('text.mbox', 'Hello')).rejects.toThrow('is no mailbox');
    await expect(read('text.json', 'Hello')).rejects.toThrow('text.json is not JSON');
    await expect(read('text2.json', '{"comments":[]}\nno')).rejects.toThrow('text2.json:2 is not JSON');
    await expect(read('other.json', {})).rejects.toThrow('neither tickets');
  });
});
