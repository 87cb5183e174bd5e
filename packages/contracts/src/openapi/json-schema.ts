import * as z from 'zod';
import { Id, Location, Moment, Timestamp } from '../kernel/common.js';
import { embedAnnotation } from '../kernel/embed.js';
import { reasonStatus } from '../kernel/errors.js';
import { GivenRichDocument } from '../kernel/rich-document.js';
import { componentName, type Components, type Json } from './components.js';

/** The JSON Schema of a zod schema. Schemas with a `meta` id become components, which it refers to. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', { schemas }: Pick<Components, 'schemas'>): Json {
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
      dropSafeBounds(node);
      nameKeys(node);
    },
  }) as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] ??= relocate(definition, schemas) as Json;
  return relocate(root, schemas) as Json;
}

/** What nearly every operation has, by its name among the components. */
const parts = { GivenRichDocument, Id, Location, Moment, NextPage: z.object({ page: z.string() }), Timestamp };
const nameOfPart = new Map(Object.entries(parts).map(([name, part]) => [JSON.stringify(jsonOf(part)), name]));

function jsonOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}

/** Every number of JavaScript is within these. */
function dropSafeBounds(node: Json): void {
  if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum'];
  if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum'];
}

/** A record that requires every key of an enum gets them as properties, so that generators of clients see them. */
function nameKeys(node: Json): void {
  const { propertyNames, required, additionalProperties } = node as {
    propertyNames?: Json;
    required?: string[];
  } & Json;
  if (propertyNames === undefined || required === undefined || required.length === 0) return;
  node['properties'] = Object.fromEntries(required.map((name) => [name, additionalProperties]));
  delete node['propertyNames'];
  delete node['additionalProperties'];
}

/** Points references at the shared components instead of the schema's own definitions, and what is often used, too. */
function relocate(node: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(node)) return node.map((one) => relocate(one, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const name = nameOfPart.get(JSON.stringify(node)) ?? nameOfEmbedded(node as Json);
  if (name !== undefined) {
    schemas[name] ??= within(node, schemas);
    return { $ref: `#/components/schemas/${name}` };
  }
  return within(node, schemas);
}

/** A resource of another service, or a reference to it. With a description of its own it is no shared part. */
function nameOfEmbedded(node: Json): string | undefined {
  const kind = node[embedAnnotation];
  return typeof kind === 'string' && !('description' in node) ? `${componentName(kind)}OrReference` : undefined;
}

function within(node: object, schemas: Record<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace('#/$defs/', '#/components/schemas/')]
        : [key, relocate(value, schemas)],
    ),
  );
}

/** The schema of every refusal. */
export const errorSchema: Json = {
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
