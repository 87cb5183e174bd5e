import * as z from 'zod';
import { reasonStatus, type Reason } from '../kernel/errors.js';
import { requestBounds } from '../kernel/limits.js';
import {
  conditionHeaders,
  conditionParameters,
  refusalHeaders,
  sharedHeaders,
  streamContent,
} from './openapi-conditions.js';
import { statusOf, type Operation } from '../kernel/operation.js';
import { refusalsOf, shownPaths } from './refusals.js';
import { limitPresets } from '../services.js';
import { sessionCookie } from '../kernel/session-format.js';

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
  const shown = shownPaths(table);
  const refusals = refusalsOf(table);
  for (const op of table) {
    const described = operationObject(op, { tagged: shown.has(op.tagOf ?? op.path), refusals: refusals(op) }, schemas);
    [op.path, ...op.aliases].forEach((path, index) => {
      const method = op.method.toLowerCase();
      // An id has to be unique in the document.
      const alias = index === 0 ? {} : { operationId: `${op.id}Alias${index}`, 'x-alias-of': op.id };
      paths[`/v1${path}`] = { ...paths[`/v1${path}`], [method]: { ...described, ...alias } };
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scriptorium',
      version: options.version,
      description: 'Management API for documentation platforms.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      // The defaults; an installation can be configured otherwise.
      'x-limits': { ...requestBounds, ...limitPresets },
    },
    servers: [{ url: options.serverUrl }],
    externalDocs: { url: `${options.serverUrl}/errors`, description: 'Reasons of errors' },
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas,
      headers: sharedHeaders,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        ...integrationSchemes,
      },
    },
  };
}

/** What follows for an operation from the other operations of the table. */
interface Among {
  /** Whether a GET of the same path answers an entity tag. */
  tagged: boolean;
  refusals: readonly Reason[];
}

function operationObject(op: Operation, { tagged, refusals }: Among, schemas: Record<string, Json>): Json {
  return {
    operationId: op.id,
    summary: op.summary,
    tags: [op.tag],
    ...securityOf(op),
    'x-access': {
      tokens: op.access.tokens,
      scope: op.access.scope,
      ...(op.access.integrationScope === undefined ? {} : { integrationScope: op.access.integrationScope }),
      view: op.access.view,
      allow: op.access.allow,
      recovery: op.access.recovery,
    },
    ...(op.deprecated === undefined ? {} : { deprecated: true }),
    parameters: [
      ...parameters(op.params, 'path', schemas),
      ...parameters(op.query, 'query', schemas),
      ...conditionParameters(op, tagged),
    ],
    ...(op.body === undefined
      ? {}
      : {
          requestBody: {
            required: !op.bodyOptional,
            content: { [op.consumes]: { schema: jsonSchema(op.body, 'input', schemas) } },
          },
        }),
    responses: responses(op, refusals, schemas),
  };
}

/** Tokens of integrations are sent as those of users are; each has a scheme, so that operations can name them. */
const integrationSchemes = {
  integration: { type: 'http', scheme: 'bearer', description: 'A token of an integration, which its script gets.' },
  installation: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of an installation of an integration: for what it reaches, within the scopes it was granted.',
  },
};

/** The credentials of an operation, if they are not bearer tokens of users and visitors alone. */
function securityOf({ access: { tokens } }: Operation): Json {
  const named = (['session', 'integration', 'installation'] as const).filter((kind) => tokens.includes(kind));
  if (tokens.length > 0 && named.length === 0) return {};
  const schemes = [...(tokens.length > named.length ? ['bearer'] : []), ...named];
  return { security: schemes.map((scheme) => ({ [scheme]: [] })) };
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

const successes: Readonly<Record<number, string>> = { 201: 'Created', 205: 'Deleted', 302: 'Redirect to `Location`' };

function responses(op: Operation, reasons: readonly Reason[], schemas: Record<string, Json>): Json {
  const success = (status: number): Json => ({
    description: successes[status] ?? 'Success',
    headers: conditionHeaders(op, status),
    ...(op.response === undefined
      ? {}
      : { content: { [op.produces]: { schema: jsonSchema(op.response, 'output', schemas) }, ...streamContent(op) } }),
  });
  const answer: Json = { [op.status]: success(op.status) };
  if (op.mayCreate) answer['201'] = success(201);
  if (op.method === 'DELETE') answer['204'] = { description: 'There was nothing to delete' };
  if (op.method === 'GET' && op.status !== 302) answer['304'] = { description: 'The client has this answer already' };
  for (const status of new Set(reasons.map((reason) => statusOf(op, reason)))) {
    answer[status] = {
      description: reasons.filter((reason) => statusOf(op, reason) === status).join(', '),
      headers: refusalHeaders(status),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        ...(op.browser
          ? {
              'text/html': {
                schema: { type: 'string', description: 'The same as a page, if `Accept` asks for HTML.' },
              },
            }
          : {}),
      },
    };
  }
  return answer;
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Json>): Json {
  const {
    $defs,
    $schema: _,
    ...root
  } = z.toJSONSchema(schema, {
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
        reason: { type: 'string', enum: Object.keys(reasonStatus), description: 'Has a page at `/errors/{reason}`.' },
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
