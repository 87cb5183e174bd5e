import type * as z from 'zod';
import { request, type ClientOptions, type LooseCall } from './client-request.js';
import type { CallOf } from './client.js';
import { AppError, isReason } from '../kernel/errors.js';
import type { Operation } from '../kernel/operation.js';

type ItemOf<O extends Operation> = O['response'] extends z.ZodType<{ items: (infer I)[] }> ? I : never;

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Longer than the interval at which the server sends something. */
const silenceMs = 60_000;

/**
 * The items of a list that can be followed: first the existing ones, then each new one. A broken connection is restored
 * and continues after the last item, so nothing is missed or repeated. Ends when `signal` aborts or the list ends.
 * @throws AppError with which the server refuses
 */
export async function* followOperation<O extends Operation>(
  options: ClientOptions,
  op: O,
  call: CallOf<O>,
  signal: AbortSignal,
): AsyncGenerator<ItemOf<O>, void> {
  let cursor: string | undefined;
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      for await (const message of messagesOf(options, op, call as LooseCall, cursor, signal)) {
        pauseMs = firstPauseMs / 2;
        cursor = message.id ?? cursor;
        if (message.event === 'end') {
          if (message.data === '{}') return;
          throw refusal(message.data);
        }
        if (message.data !== '') yield JSON.parse(message.data) as ItemOf<O>;
      }
    } catch (error) {
      if (error instanceof AppError && error.reason !== 'unavailable' && error.reason !== 'rate_limited') throw error;
    }
    await pause(pauseMs, signal);
  }
}

interface Message {
  id: string | undefined;
  event: string;
  data: string;
}

async function* messagesOf(
  options: ClientOptions,
  op: Operation,
  call: LooseCall,
  cursor: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), silenceMs);
  const resume: Record<string, string> = cursor === undefined ? {} : { 'last-event-id': cursor };
  try {
    const response = await request(
      options,
      op,
      call,
      { accept: 'text/event-stream', ...resume },
      AbortSignal.any([signal, silent.signal]),
    );
    let text = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), silenceMs);
      const parts = (text + part).split('\n\n');
      text = parts.pop() ?? '';
      for (const one of parts) yield messageIn(one);
    }
  } finally {
    clearTimeout(timer);
  }
}

function messageIn(text: string): Message {
  const fields = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
  );
  return { id: fields.get('id'), event: fields.get('event') ?? 'message', data: fields.get('data') ?? '' };
}

function refusal(data: string): AppError {
  const { error } = JSON.parse(data) as { error?: { reason?: unknown; message?: string } };
  return new AppError(
    isReason(error?.reason) ? error.reason : 'unexpected',
    [],
    error?.message === undefined ? {} : { message: error.message },
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
