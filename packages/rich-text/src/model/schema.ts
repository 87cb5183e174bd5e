import { z } from 'zod';
import { type Fragment, type Json, type Node } from './types.js';

const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json.optional())]),
);
const data = z.record(z.string(), json.optional());
const key = z.string().max(64).optional();

const markSchema = z.object({ object: z.literal('mark'), type: z.string().min(1).max(64), data: data.optional() });
const leafSchema = z.object({
  object: z.literal('leaf'),
  text: z.string(),
  marks: z.array(markSchema).max(32).default([]),
});
const textSchema = z.looseObject({ object: z.literal('text'), key, leaves: z.array(leafSchema) });

const nodeSchema: z.ZodType<Node> = z.lazy(() =>
  z.discriminatedUnion('object', [textSchema, inlineSchema, blockSchema]),
) as z.ZodType<Node>;
const fragmentSchema: z.ZodType<Fragment> = z.lazy(() =>
  z.looseObject({
    object: z.literal('fragment'),
    key,
    fragment: z.string().max(256).optional(),
    type: z.string().max(64).optional(),
    nodes: z.array(nodeSchema),
  }),
) as z.ZodType<Fragment>;

const shared = {
  type: z.string().min(1).max(64),
  key,
  isVoid: z.boolean().default(false),
  data: data.default({}),
  nodes: z.array(nodeSchema).optional(),
  fragments: z.array(fragmentSchema).optional(),
};
const inlineSchema = z.looseObject({ object: z.literal('inline'), ...shared });
const blockSchema = z.looseObject({ object: z.literal('block'), ...shared, meta: data.optional() });

/** The shape of a document. Node types are open: what a type's `data` means is not checked here. */
export const documentSchema = z.looseObject({
  object: z.literal('document'),
  data: data.default({}),
  nodes: z.array(nodeSchema).default([]),
  meta: data.optional(),
});
