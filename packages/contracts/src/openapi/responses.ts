import { reasonStatus, type Reason } from '../kernel/errors.js';
import { statusOf, type Operation } from '../kernel/operation.js';
import { componentName, share, type Components, type Json } from './components.js';
import type { Examples } from './examples.js';
import { answerHeaders, refusalHeaders } from './headers.js';
import { errorSchema, jsonSchema } from './json-schema.js';
import { streamContent } from './openapi-conditions.js';

const successes: Readonly<Record<number, string>> = {
  201: 'Created',
  202: 'Accepted',
  205: 'Deleted',
  302: 'Redirect to `Location`',
};

/**
 * What an operation answers, by status. `reasons`: those for which it can be refused. Those for which every operation
 * can be, and which have a status of their own, are told together as `default`.
 */
export function responses(op: Operation, reasons: readonly Reason[], components: Components, examples: Examples): Json {
  const answer: Json = { [op.status]: success(op, op.status, components, examples) };
  if (op.mayCreate) answer['201'] = success(op, 201, components, examples);
  if (op.method === 'DELETE')
    answer['204'] = share(components, 'responses', 'NothingToDelete', { description: 'There was nothing to delete' });
  if (op.method === 'GET' && op.status !== 302)
    answer['304'] = share(components, 'responses', 'NotModified', {
      description: 'The client has this answer already',
    });
  const own = reasons.filter((reason) => !isCommon(op, reason));
  for (const status of new Set(own.map((reason) => statusOf(op, reason)))) {
    const its = reasons.filter((reason) => statusOf(op, reason) === status).sort();
    answer[status] = refusal(op, { name: nameOf(status, its), description: its.join(', '), status }, components);
  }
  const others = common.map((reason) => `${reasonStatus[reason]} ${reason}`).join(', ');
  const description = `${others}; or a status that a later version adds`;
  answer['default'] = refusal(op, { name: 'Other', description }, components);
  return answer;
}

/** Reasons that say nothing of an operation. */
const common: readonly Reason[] = [
  'invalid_request',
  'unauthenticated',
  'too_large',
  'unsupported_media_type',
  'request_timeout',
  'misdirected',
  'rate_limited',
  'headers_too_large',
  'unexpected',
  'unavailable',
];

/** An operation that needs no token would otherwise list no refusal at all. */
function isCommon({ access }: Operation, reason: Reason): boolean {
  return common.includes(reason) && !(reason === 'invalid_request' && access.tokens.length === 0);
}

function success(op: Operation, status: number, components: Components, examples: Examples): Json {
  const description = successes[status] ?? 'Success';
  const headers = answerHeaders(op, status, components);
  if (op.response === undefined) {
    const name = `${description.split(' ')[0]}${Object.keys(headers).map(componentName).join('')}`;
    return share(components, 'responses', name, { description, headers });
  }
  const schema = jsonSchema(op.response, 'output', components);
  return {
    description,
    headers,
    content: { [op.produces]: { schema, ...examples.ofAnswer(op, components) }, ...streamContent(op) },
  };
}

/** The reasons, with the status where another one is usual. */
function nameOf(status: number, reasons: readonly Reason[]): string {
  const isUsual = reasons.every((reason) => reasonStatus[reason] === status);
  return `${reasons.map(componentName).join('Or')}${isUsual ? '' : status}`;
}

interface Refusal {
  name: string;
  description: string;
  status?: number;
}

/** Operations that can be refused with the same status for the same reasons share the description of it. */
function refusal(op: Operation, { name, description, status }: Refusal, components: Components): Json {
  const page = { schema: { type: 'string', description: 'The same as a page, if `Accept` asks for HTML.' } };
  return share(components, 'responses', `${name}${op.browser ? 'Page' : ''}`, {
    description,
    headers: refusalHeaders(status, components),
    content: {
      'application/json': { schema: share(components, 'schemas', 'Error', errorSchema) },
      ...(op.browser ? { 'text/html': page } : {}),
    },
  });
}
