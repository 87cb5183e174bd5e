import {
  entriesOf,
  lineOf,
  mappedRef,
  members,
  refOf,
  schemaKey,
  type ExampleUse,
  type Members,
} from '@scriptorium/openapi/shown';
import { radioTabs } from '../containers.js';
import { classes, el, type Child, type HtmlNode } from '../html.js';
import type { RenderContext, SchemaSource } from '../render-context.js';
import { filled } from '../../texts/texts.js';
import { filledNodes } from '../filled-nodes.js';
import { code, constraintsOf, valuesOf } from './constraints.js';
import { described } from './described.js';
import { choiceOf, nameOf, propertiesOf, readSchema, typesOf, type Cost, type ReadSchema } from './read-schema.js';

/** What a card shows schemas with. */
export interface Tree {
  ctx: RenderContext;
  source: SchemaSource;
  /** What the values are for; `undefined` for both. */
  use: ExampleUse | undefined;
  left: Cost & { properties: number };
}

/** Where a part of a schema stands. */
interface Place {
  level: number;
  within: readonly string[];
}

export function treeOf(ctx: RenderContext, source: SchemaSource, use?: ExampleUse): Tree {
  const { properties } = ctx.cards.share;
  return { ctx, source, use, left: { properties, parts: 20 * properties } };
}

/** Levels that are open; named schemas below them are led to, others can be opened down to the last level. */
const levels = { open: 2, last: 8 };
/** Properties of a part that is open on the second level, and options of a choice. */
const most = { open: 12, options: 20 };

/** A schema as a whole: its type, what it has to be, and its properties. */
export function schemaNodes(tree: Tree, given: unknown, within: readonly string[] = []): HtmlNode[] {
  const read = readSchema(tree.source, given, within, tree.left);
  return [
    el('p', classes('type-line'), typeNodes(tree, read, false)),
    ...aboutValue(tree, read.schema),
    ...inside(tree, read, { level: 0, within: read.within }),
  ];
}

/** A value with a name: a parameter, a header, a property. */
export interface Field {
  name: string;
  schema: unknown;
  isRequired?: boolean;
  isPattern?: boolean;
  isDeprecated?: boolean;
  description?: unknown;
  example?: unknown;
}

export function fieldList(tree: Tree, fields: readonly Field[]): HtmlNode {
  return fieldsAt(tree, fields, { level: 1, within: [] });
}

function fieldsAt(tree: Tree, fields: readonly Field[], place: Place): HtmlNode {
  const shown = fields.slice(0, Math.max(0, tree.left.properties));
  tree.left.properties -= shown.length;
  const rest = fields.length - shown.length;
  return el(
    'ul',
    classes('fields'),
    shown.map((field) => el('li', {}, fieldNodes(tree, field, place))),
    rest === 0 ? undefined : el('li', classes('more'), filled(tree.ctx.sayOfApi.notShown, { count: rest })),
  );
}

function fieldNodes(tree: Tree, field: Field, place: Place): HtmlNode[] {
  const read = readSchema(tree.source, field.schema, place.within, tree.left);
  const target = itemsOf(tree, read) ?? read;
  const nested = nestedIn(tree, target);
  const isLed = nested !== undefined && (target.isCircle || place.level >= levels.open) && target.name !== undefined;
  const isShown = nested !== undefined && !isLed && place.level < levels.last;
  const head = headOf(tree, field, { read, isLed });
  const about = aboutValue(tree, {
    ...read.schema,
    ...(field.description !== undefined && { description: field.description }),
  });
  const value = field.example === undefined ? undefined : code(field.example);
  const example = value && el('p', classes('constraints'), filledNodes(tree.ctx.sayOfApi.exampleOf, { value }));
  if (!isShown) return [el('p', classes('field'), head), ...about, ...(example === undefined ? [] : [example])];
  const open = place.level < levels.open && nested <= most.open;
  const below = inside(tree, read, { level: place.level, within: read.within });
  return [el('details', { open }, el('summary', classes('field'), head), about, example, below)];
}

/** How many parts a schema has that stand below it; `undefined` for none. */
function nestedIn({ ctx }: Tree, { schema, isCircle }: ReadSchema): number | undefined {
  if (isCircle) return 0;
  const count = propertiesOf(ctx.sayOfApi, schema).length + (choiceOf(schema)?.options.length ?? 0);
  return count === 0 ? undefined : count;
}

/** The schema of the items of a list, of lists of lists as well; `undefined` for what is no list. */
function itemsOf({ source, left }: Tree, read: ReadSchema): ReadSchema | undefined {
  let item: ReadSchema | undefined;
  let list = read;
  for (let level = 0; level < 4 && typesOf(list.schema).includes('array'); level += 1) {
    const { items } = list.schema;
    if (items === undefined) break;
    item = readSchema(source, items, list.within, left);
    list = item;
  }
  return item;
}

function headOf(tree: Tree, field: Field, { read, isLed }: { read: ReadSchema; isLed: boolean }): Child[] {
  const { schema } = read;
  const say = tree.ctx.sayOfApi;
  const label = (is: boolean, text: string, name: string): Child =>
    is ? [' ', el('span', classes('label', name), text)] : undefined;
  return [
    field.isPattern === true ? el('em', {}, lineOf(field.name)) : el('code', classes('name'), lineOf(field.name)),
    ' ',
    el('span', classes('type'), typeNodes(tree, read, isLed)),
    label(field.isRequired === true, say.required, 'required'),
    label(field.isDeprecated === true || schema['deprecated'] === true, say.deprecated, 'deprecated'),
    label(schema['readOnly'] === true, say.readOnly, 'access'),
    label(schema['writeOnly'] === true, say.writeOnly, 'access'),
  ];
}

/** The type in words: "string (date-time) or null", "array of Pet". */
function typeNodes(tree: Tree, read: ReadSchema, mayLead: boolean): Child[] {
  const { schema, name } = read;
  const say = tree.ctx.sayOfApi;
  const isLed = mayLead || read.isCircle;
  const types = typesOf(schema);
  const items = types.includes('array') ? schema['items'] : undefined;
  const format = lineOf(schema['format']);
  const choice = choiceOf(schema);
  const kind =
    types.join(` ${say.or} `) || (choice === undefined ? say.any : choice.isOne ? say.oneOfSeveral : say.anyOfSeveral);
  const named = name === undefined ? undefined : schemaName(tree, name, isLed);
  const parts: Child[] =
    items === undefined
      ? [named ?? `${kind}${format === '' ? '' : ` (${format})`}`]
      : filledNodes(say.arrayOf, {
          type: typeNodes(tree, readSchema(tree.source, items, read.within, tree.left), isLed),
        });
  return read.isNullable ? filledNodes(say.orNull, { type: parts }) : parts;
}

/** The name of a schema; a link to it where its parts are shown elsewhere. */
function schemaName({ ctx, source }: Tree, name: string, isLed: boolean): Child {
  const id = isLed && Object.hasOwn(source.schemas, name) ? ctx.cards.idOf(source, name) : undefined;
  const shown = nameOf({ name });
  return id === undefined ? shown : el('a', { href: `#${id}` }, shown);
}

function aboutValue({ ctx }: Tree, schema: Members): HtmlNode[] {
  const limits = constraintsOf(ctx.sayOfApi, schema);
  const values = valuesOf(ctx.sayOfApi, schema);
  return [...described(ctx, schema['description']), ...(limits === undefined ? [] : [limits]), ...values];
}

/** What stands below a schema: the properties of its values, and what it can be. */
function inside(tree: Tree, given: ReadSchema, place: Place): HtmlNode[] {
  const read = itemsOf(tree, given) ?? given;
  if (read.isCircle) return [];
  const next = { level: place.level + 1, within: read.within };
  const fields = propertiesOf(tree.ctx.sayOfApi, read.schema).filter((property) => isUsed(tree, property.schema));
  return [...(fields.length === 0 ? [] : [fieldsAt(tree, fields, next)]), ...choiceNodes(tree, read, place)];
}

/** Whether a property is sent in this direction. */
function isUsed({ use }: Tree, schema: unknown): boolean {
  const { readOnly, writeOnly } = members(schema);
  return !((use === 'request' && readOnly === true) || (use === 'response' && writeOnly === true));
}

function choiceNodes(tree: Tree, { schema, within }: ReadSchema, { level }: Place): HtmlNode[] {
  const choice = choiceOf(schema);
  if (choice === undefined) return [];
  const options = choice.options.slice(0, Math.max(0, Math.min(most.options, tree.left.properties)));
  tree.left.properties -= options.length;
  const rest = choice.options.length - options.length;
  const say = tree.ctx.sayOfApi;
  const more = rest === 0 ? undefined : `, ${filled(say.andMore, { count: rest })}`;
  const legend = el('legend', {}, choice.isOne ? say.oneOf : say.anyOf, more);
  const parts = options.map((option, index) => {
    const value = discriminatorOf(schema, option);
    const read = readSchema(tree.source, option, within, tree.left);
    const named = lineOf(value?.value) || nameOf(read) || lineOf(read.schema['title']);
    const title = named || typesOf(read.schema).join(` ${say.or} `) || filled(say.option, { number: index + 1 });
    return { title, body: () => optionNodes(tree, { read, value }, level) };
  });
  return radioTabs(tree.ctx, { names: ['tabs'], legend }, parts);
}

interface Discriminator {
  property: string;
  value: string;
}

function optionNodes(
  tree: Tree,
  { read, value }: { read: ReadSchema; value: Discriminator | undefined },
  level: number,
): HtmlNode[] {
  const isLed = read.name !== undefined && (read.isCircle || level >= levels.open);
  const is = value && { property: code(value.property), value: code(value.value) };
  const says = is && el('p', {}, filledNodes(tree.ctx.sayOfApi.isValue, is));
  return [
    ...(says === undefined ? [] : [says]),
    el('p', classes('type-line'), typeNodes(tree, read, isLed)),
    ...aboutValue(tree, read.schema),
    ...(isLed ? [] : inside(tree, read, { level, within: read.within })),
  ];
}

/** The property, and its value, by which an option is known. */
function discriminatorOf(schema: Members, option: unknown): Discriminator | undefined {
  const discriminator = members(schema['discriminator']);
  const property = lineOf(discriminator['propertyName']);
  const ref = refOf(option);
  if (property === '' || ref === null) return undefined;
  const mapped = entriesOf(discriminator['mapping']).find(([, to]) => typeof to === 'string' && mappedRef(to) === ref);
  return { property, value: mapped?.[0] ?? schemaKey(ref) ?? ref };
}
