import type * as z from 'zod';
import { userTokens } from '../kernel/access.js';
import type { Reason } from '../kernel/errors.js';
import { requestBounds } from '../kernel/limits.js';
import type { Operation } from '../kernel/operation.js';
import { sessionCookie } from '../kernel/session-format.js';
import { limitPresets } from '../services.js';
import { noComponents, type Components, type Json } from './components.js';
import { describeOperation } from './describe-operation.js';
import { commonHeaders } from './headers.js';
import { examplesIn, type Examples, type OperationExamples } from './examples.js';
import { jsonSchema } from './json-schema.js';
import { nameArms } from './name-arms.js';
import { conditionParameters } from './openapi-conditions.js';
import { responses } from './responses.js';
import { shareParameters } from './shared-parameters.js';
import { tagsOf } from './tags.js';
import { refusalsOf, shownPaths } from './refusals.js';

export interface OpenApiOptions {
  /** Public address of the gateway, without `/v1`. */
  serverUrl: string;
  version: string;
  /** Examples by the ids of operations. */
  examples?: OperationExamples | undefined;
}

/**
 * The OpenAPI 3.1 document of a table of operations. Resources with a `meta` id become named components; every
 * operation lists each status it can answer with the reasons behind it.
 */
export function openApiDocument(table: readonly Operation[], options: OpenApiOptions): Json {
  const components = noComponents();
  const paths = pathsOf(table, components, examplesIn(table, options.examples ?? {}));
  shareParameters(paths, components);
  nameArms(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scriptorium',
      version: options.version,
      description: `Management API for documentation platforms. ${commonHeaders} ${usualAccess}`,
      contact: { name: 'Scriptorium', url: options.serverUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      // The defaults; an installation can be configured otherwise.
      'x-limits': { ...requestBounds, ...limitPresets },
    },
    servers: [{ url: options.serverUrl }],
    externalDocs: { url: `${options.serverUrl}/errors`, description: 'Reasons of errors' },
    security: [{ bearer: [] }],
    tags: tagsOf(table),
    paths,
    components: {
      ...components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        ...integrationSchemes,
      },
    },
  };
}

/** The operations of a table by path and method. */
function pathsOf(
  table: readonly Operation[],
  components: Components,
  examples: Examples,
): Record<string, Record<string, Json>> {
  const paths: Record<string, Record<string, Json>> = {};
  const shown = shownPaths(table);
  const refusals = refusalsOf(table);
  for (const op of table) {
    const among = { tagged: shown.has(op.tagOf ?? op.path), refusals: refusals(op), examples };
    const described = operationObject(op, among, components);
    [op.path, ...op.aliases].forEach((path, index) => {
      const method = op.method.toLowerCase();
      // An id has to be unique in the document.
      const alias = index === 0 ? {} : { operationId: `${op.id}Alias${index}`, 'x-alias-of': op.id };
      const url = path === '/' ? '/v1' : `/v1${path}`;
      paths[url] = { ...paths[url], [method]: { ...described, ...alias } };
    });
  }
  return paths;
}

/** What follows for an operation from the other operations of the table. */
interface Among {
  /** Whether a GET of the same path answers an entity tag. */
  tagged: boolean;
  refusals: readonly Reason[];
  examples: Examples;
}

function operationObject(op: Operation, { tagged, refusals, examples }: Among, components: Components): Json {
  return {
    operationId: op.id,
    summary: op.summary,
    description: describeOperation(op),
    tags: [op.tag],
    ...securityOf(op),
    'x-access': accessOf(op),
    ...(op.deprecated === undefined ? {} : { deprecated: true }),
    parameters: [
      ...parameters(op.params, 'path', components),
      ...parameters(op.query, 'query', components),
      ...conditionParameters(op, tagged, components),
    ],
    ...(op.body === undefined
      ? {}
      : {
          requestBody: {
            required: !op.bodyOptional,
            content: { [op.consumes]: { schema: jsonSchema(op.body, 'input', components), ...examples.ofRequest(op) } },
          },
        }),
    responses: responses(op, refusals, components, examples),
  };
}

/** The access rule, without what is as usual; the description of the document says what that is. */
function accessOf({ access: { tokens, scope, integrationScope, view, allow, recovery } }: Operation): Json {
  return {
    ...(tokens.join() === userTokens.join() ? {} : { tokens }),
    scope,
    integrationScope,
    ...(view.join() === allow.join() ? {} : { view }),
    allow,
    recovery,
  };
}

const usualAccess = `\`x-access\` tells who may call an operation: \`allow\`. Unless it says otherwise, it takes ${userTokens.join(' and ')} tokens (\`tokens\`), and those who may call it learn that the resource exists (\`view\`).`;

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

function parameters(schema: z.ZodObject, place: 'path' | 'query', components: Components): Json[] {
  const { properties = {}, required = [] } = jsonSchema(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}
