import * as z from 'zod';
import { reasonStatus } from '../kernel/errors.js';
import type { Components, Json } from './components.js';

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
      nameKeys(node);
    },
  }) as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] ??= relocate(definition) as Json;
  return relocate(root) as Json;
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
