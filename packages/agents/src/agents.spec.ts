import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import * as z from 'zod';
import { answerAgent, toolsWith, type AgentServer } from './index.js';

const tool = toolsWith<{ greeting: string }>();
const greet = tool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets somebody.',
  input: z.object({ name: z.string().min(1), times: z.number().int().default(1) }),
  writes: false,
  run({ greeting }, { name, times }) {
    if (name === 'nobody') {
      const details = [{ path: 'body.name', message: 'Is nobody' }];
      return Promise.reject(new AppError('invalid_request', details, { message: 'No', retryAfter: 1.5 }));
    }
    if (name === 'chance') return Promise.reject(new Error('secret'));
    return Promise.resolve(`${greeting} ${name} `.repeat(times).trim());
  },
});
const server: AgentServer<{ greeting: string }> = {
  name: 'spec',
  title: 'Spec',
  version: '1.0.0',
  instructions: 'Be kind.',
  tools: [greet],
};
const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

describe('an agent', () => {
  const failures: [unknown, string][] = [];
  const ask = async (method: string, body?: string, more: Record<string, string> = {}) => {
    const request = {
      method,
      headers: { ...headers, ...more },
      body: body === undefined ? undefined : Buffer.from(body),
    };
    const answer = await answerAgent(server, request, { greeting: 'Hello' }, (...failure) => failures.push(failure));
    return { status: answer.status, text: answer.body.toString() };
  };
  const call = async (input: Record<string, unknown>) => {
    const params = { name: 'greet', arguments: input };
    return (await ask('POST', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))).text;
  };

  it('uses tools with what they are given, and with defaults of their input', async () => {
    expect(await call({ name: 'Ann' })).toContain('"text":"Hello Ann"');
    expect(await call({ name: 'Ann', times: 2 })).toContain('"text":"Hello Ann Hello Ann"');
  });

  it('is told what is refused, and nothing of the cause of a failure', async () => {
    const refused = String.raw`"text":"invalid_request: No\nname: Is nobody\nTry again after 2 seconds."`;
    expect(await call({ name: 'nobody' })).toContain(refused);
    expect(await call({ name: 'nobody' })).toContain('"isError":true');
    expect(failures).toEqual([]);
    expect(await call({ name: 'chance' })).not.toContain('secret');
    expect(failures).toEqual([[new Error('secret'), 'greet']]);
    expect(await call({ name: '' })).toMatch(/error/i);
  });

  it('gets no session and no stream', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) expect((await ask(method)).status).toBe(405);
    expect((await ask('POST', '{')).status).toBe(400);
    expect((await ask('POST', ' [{}]')).status).toBe(400);
    expect((await ask('POST', '{}', { 'content-type': 'text/plain' })).status).toBe(415);
  });
});
