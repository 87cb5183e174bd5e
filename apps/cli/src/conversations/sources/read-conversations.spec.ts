import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { tempFolders } from '../test/temp-folder.js';
import { readConversations } from './read-conversations.js';

const folder = tempFolders()();
const read = async (name: string, content: unknown) => {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readConversations(path);
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

  it('are refused where the file is something else', async () => {
    await expect(readConversations(join(folder, 'none.jsonl'))).rejects.toThrow('there is no file');
    await expect(read('bad.jsonl', '{"id":"a"}\nno')).rejects.toThrow('bad.jsonl:2 is not JSON');
    await expect(read('list.jsonl', '[]')).rejects.toThrow('list.jsonl:1 is no object');
    await expect(read('other.json', {})).rejects.toThrow('neither tickets');
  });
});
