import * as z from 'zod';
import { embedAnnotation } from '@scriptorium/contracts';

type Json = Record<string, unknown>;

/** The places of embedded resources in values of a schema. Plans of recursive schemas refer to themselves. */
export interface EmbedPlan {
  /** Set if the value itself may be a reference of this kind. */
  kind: string | undefined;
  fields: Map<string, EmbedPlan>;
  items: EmbedPlan | undefined;
  /** Values under keys that are not `fields`. */
  values: EmbedPlan | undefined;
  branches: EmbedPlan[];
  /** Whether there are embedded resources here or further inside. */
  useful: boolean;
}

/** Compiles the places where a response schema embeds resources. @throws for a kind that is not among `kinds` */
export function compilePlan(schema: z.ZodType, kinds: ReadonlySet<string>): EmbedPlan {
  const root = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json;
  const compiler: Compiler = { root, kinds, byReference: new Map(), all: [] };
  const plan = compileNode(root, compiler);
  markUseful(compiler.all);
  return plan;
}

interface Compiler {
  root: Json;
  kinds: ReadonlySet<string>;
  byReference: Map<string, EmbedPlan>;
  all: EmbedPlan[];
}

function compileNode(node: Json, compiler: Compiler): EmbedPlan {
  const plan = emptyPlan(compiler);
  const kind = node[embedAnnotation];
  if (typeof kind === 'string') {
    if (!compiler.kinds.has(kind)) throw new Error(`Nothing looks up embedded resources of kind ${kind}`);
    plan.kind = kind;
  }
  const child = (value: unknown): EmbedPlan | undefined => (isObject(value) ? compileNode(value, compiler) : undefined);
  for (const [name, value] of Object.entries((node['properties'] ?? {}) as Json)) {
    const field = child(value);
    if (field !== undefined) plan.fields.set(name, field);
  }
  plan.items = child(node['items']);
  plan.values = child(node['additionalProperties']);
  for (const word of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) {
    for (const branch of (node[word] ?? []) as Json[]) {
      // The position in a tuple does not matter: a reference is recognised by its own fields.
      const compiled = compileNode(branch, compiler);
      plan.branches.push(word === 'prefixItems' ? Object.assign(emptyPlan(compiler), { items: compiled }) : compiled);
    }
  }
  const reference = node['$ref'];
  if (typeof reference === 'string') plan.branches.push(referenced(reference, compiler));
  return plan;
}

function emptyPlan(compiler: Compiler): EmbedPlan {
  const plan: EmbedPlan = {
    kind: undefined,
    fields: new Map(),
    items: undefined,
    values: undefined,
    branches: [],
    useful: false,
  };
  compiler.all.push(plan);
  return plan;
}

function referenced(reference: string, compiler: Compiler): EmbedPlan {
  const known = compiler.byReference.get(reference);
  if (known !== undefined) return known;
  const plan = emptyPlan(compiler);
  compiler.byReference.set(reference, plan);
  const definitions = (compiler.root['$defs'] ?? {}) as Record<string, Json>;
  const target = reference === '#' ? compiler.root : definitions[reference.replace('#/$defs/', '')];
  if (target === undefined) throw new Error(`A schema refers to ${reference}, which is not there`);
  plan.branches.push(compileNode(target, compiler));
  return plan;
}

/** The plan of a field, also if the schema is a reference to its definition. */
export function fieldPlan(plan: EmbedPlan, name: string): EmbedPlan | undefined {
  const own = plan.fields.get(name);
  if (own !== undefined) return own;
  const [only] = plan.branches;
  return plan.branches.length === 1 && only !== undefined && only !== plan ? fieldPlan(only, name) : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** Marks the annotated places, and then what contains marked places, until nothing changes. */
function markUseful(plans: readonly EmbedPlan[]): void {
  let changed = true;
  while (changed) {
    changed = false;
    for (const plan of plans) {
      if (plan.useful) continue;
      const inner = [plan.items, plan.values, ...plan.fields.values(), ...plan.branches];
      plan.useful = plan.kind !== undefined || inner.some((one) => one?.useful === true);
      changed ||= plan.useful;
    }
  }
}
