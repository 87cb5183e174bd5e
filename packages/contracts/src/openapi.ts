import * as z from 'zod';
import { reasonStatus, type Reason } from './errors.js';
import { limits, requestBounds } from './limits.js';
import { conditionHeaders, conditionParameters, conditionReasons, streamContent } from './openapi-conditions.js';
import { statusOf, type Operation } from './operation.js';
import { sessionCookie } from './session-format.js';

type Json = Record<string, unknown>;

export interface OpenApiOptions {
  /** Public address of the gateway, without `/v1`. */
  serverUrl: string;
  version: string;
}

/**
 * The OpenAPI 3.1 document of a table of operations. Resources with a `meta` id become named components; every
 * operation lists each status it can answer with the reasons behind it.
 */
export function openApiDocument(table: readonly Operation[], options: OpenApiOptions): Json {
  const schemas: Record<string, Json> = { Error: errorSchema };
  const paths: Record<string, Json> = {};
  const shown = new Set(table.filter(({ method }) => method === 'GET').map(({ path }) => path));
  for (const op of table) {
    const path = `/v1${op.path}`;
    paths[path] = { ...paths[path], [op.method.toLowerCase()]: operationObject(op, shown.has(op.path), schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scriptorium',
      version: options.version,
      description: 'Management API for documentation platforms.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      // The numbers that hold unless an installation is configured otherwise.
      'x-limits': { ...requestBounds, ...limits },
    },
    servers: [{ url: options.serverUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, session: { type: 'apiKey', in: 'cookie', name: sessionCookie } },
    },
  };
}

function operationObject(op: Operation, tagged: boolean, schemas: Record<string, Json>): Json {
  return {
    operationId: op.id,
    summary: op.summary,
    tags: [op.tag],
    ...securityOf(op),
    'x-access': { tokens: op.access.tokens, scope: op.access.scope, view: op.access.view, allow: op.access.allow },
    ...(op.deprecated === undefined ? {} : { deprecated: true }),
    parameters: [...parameters(op.params, 'path', schemas), ...parameters(op.query, 'query', schemas), ...conditionParameters(op, tagged)],
    ...(op.body === undefined
      ? {}
      : {
          requestBody: {
            required: !op.bodyOptional,
            content: { 'application/json': { schema: jsonSchema(op.body, 'input', schemas) } },
          },
        }),
    responses: responses(op, tagged, schemas),
  };
}

/** What an operation is called with, where that is not a token. */
function securityOf({ access: { tokens } }: Operation): Json {
  if (tokens.length === 0) return { security: [] };
  if (!tokens.includes('session')) return {};
  return { security: [...(tokens.some((kind) => kind !== 'session') ? [{ bearer: [] }] : []), { session: [] }] };
}

function parameters(schema: z.ZodObject, place: 'path' | 'query', schemas: Record<string, Json>): Json[] {
  const { properties = {}, required = [] } = jsonSchema(schema, 'input', schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function responses(op: Operation, tagged: boolean, schemas: Record<string, Json>): Json {
  const answer: Json = {
    [op.status]: {
      description: op.status === 205 ? 'Deleted' : op.status === 201 ? 'Created' : 'Success',
      headers: conditionHeaders(op),
      ...(op.response === undefined
        ? {}
        : { content: { 'application/json': { schema: jsonSchema(op.response, 'output', schemas) }, ...streamContent(op) } }),
    },
  };
  if (op.method === 'DELETE') answer['204'] = { description: 'There was nothing to delete' };
  if (op.method === 'GET') answer['304'] = { description: 'The caller has this answer already' };
  const reasons = [...reasonsOf(op), ...conditionReasons(op, tagged)];
  for (const status of new Set(reasons.map((reason) => statusOf(op, reason)))) {
    answer[status] = {
      description: reasons.filter((reason) => statusOf(op, reason) === status).join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return answer;
}

/** Every reason that an operation can be refused for: its own and those of its shape. */
export function reasonsOf(op: Operation): Reason[] {
  const shape: Reason[] = ['invalid_request', 'rate_limited', 'unexpected', 'unavailable'];
  if (op.access.tokens.length > 0) shape.push('unauthenticated', 'forbidden');
  if (op.path.includes('{')) shape.push('not_found');
  if (op.body !== undefined) shape.push('too_large', 'unsupported_media_type');
  if (op.kind === 'write') shape.push('conflict');
  return [...new Set([...shape, ...op.reasons])].sort((a, b) => statusOf(op, a) - statusOf(op, b));
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Json>): Json {
  const { $defs, $schema: _, ...root } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'throw',
    reused: 'inline',
    override: ({ jsonSchema: node }) => {
      delete node['id'];
      if (node['additionalProperties'] === false) delete node['additionalProperties'];
    },
  }) as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] ??= relocate(definition) as Json;
  return relocate(root) as Json;
}

/** Points references at the shared components instead of the schema's own definitions. */
function relocate(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(relocate);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace('#/$defs/', '#/components/schemas/')]
        : [key, relocate(value)],
    ),
  );
}

const errorSchema: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'reason', 'requestId'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status.' },
        message: { type: 'string' },
        reason: { type: 'string', enum: Object.keys(reasonStatus) },
        requestId: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
};
