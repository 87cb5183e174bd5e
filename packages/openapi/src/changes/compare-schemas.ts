import { refOf } from '../documents/pointers.js';
import { typeOf } from '../slices/outline.js';
import { isMembers, listOf, members, type Members } from '../text/values.js';
import { apartByMeaning, mayFollow, meansSame, resolved, type Comparison } from './comparison.js';
import { apart, changedMembers, isSame, type Difference, type Use } from './difference.js';

/**
 * Compares two schemas. What is named the same is compared by itself; references to different names, and schemas that
 * stand in place of references, are followed.
 */
export function compareSchemas(before: unknown, after: unknown, use: Comparison, place = ''): Difference[] {
  if (isSame(before, after)) return [];
  const [a, b] = [members(before), members(after)];
  use.versions.depth += 1;
  const differences = refOf(a) === refOf(b) ? compareParts(a, b, use, place) : compareReferences(a, b, use, place);
  use.versions.depth -= 1;
  return differences;
}

function compareParts(a: Members, b: Members, use: Comparison, place: string): Difference[] {
  const at = place === '' ? '' : `${place}: `;
  const differences = [
    ...compareTypes(a, b, use),
    ...compareValues(a, b, use),
    ...compareLimits(a, b, use),
    ...compareFormats(a, b, use),
    ...compareCombined(a, b, use),
    ...compareRequired(a, b, use),
  ].map(({ text, isBreaking }) => ({ text: `${at}${text}`, isBreaking }));
  const texts = about.filter((name) => !isSame(a[name], b[name]));
  if (texts.length > 0) differences.push({ text: `${at}${texts.join(', ')} changed`, isBreaking: false });
  const all = [...differences, ...compareProperties(a, b, use, place), ...compareItems(a, b, use, place)];
  return all.length > 0 ? all : changedMembers(a, b, [], place);
}

function compareReferences(a: Members, b: Members, use: Comparison, place: string): Difference[] {
  const at = place === '' ? '' : `${place}: `;
  const text = `${at}is ${typeOf(b)}, was ${typeOf(a)}`;
  const { before, after } = use.versions;
  if (meansSame(use.versions, a, b)) return [{ text: `${text}, which means the same`, isBreaking: false }];
  const [old, now] = [resolved(before, a), resolved(after, b)];
  const follows = old === undefined || now === undefined ? 'no' : mayFollow(use, a, b);
  if (follows === 'no') return [{ text, isBreaking: true }];
  if (follows === 'told') return [{ text, isBreaking: false }];
  return compareSchemas(old, now, use, place);
}

/** Members of a schema that people read. */
const about = ['title', 'description', 'deprecated', 'example', 'examples', 'default', 'readOnly', 'writeOnly'];

function compareTypes(a: Members, b: Members, use: Use): Difference[] {
  const [before, after] = [typesOf(a), typesOf(b)];
  if (isSame([...before].sort(), [...after].sort())) return [];
  const accepts = (types: readonly unknown[], type: unknown) =>
    types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
  const covers = (wide: readonly unknown[], narrow: readonly unknown[]) =>
    wide.length === 0 || (narrow.length > 0 && narrow.every((type) => accepts(wide, type)));
  const isBreaking = (use.request && !covers(after, before)) || (use.response && !covers(before, after));
  return [{ text: `type is ${named(after)}, was ${named(before)}`, isBreaking }];
}

function typesOf(schema: Members): readonly unknown[] {
  return schema['type'] === undefined ? [] : [schema['type']].flat();
}

function named(types: readonly unknown[]): string {
  return types.length === 0 ? 'any' : types.join(' | ');
}

function compareValues(a: Members, b: Members, use: Use): Difference[] {
  const [before, after] = [valuesOf(a), valuesOf(b)];
  if (before === null || after === null) {
    if (before === after) return [];
    const isBreaking = before === null ? use.request : use.response;
    return [{ text: before === null ? 'only some values are allowed' : 'any value is allowed', isBreaking }];
  }
  const { removed, added } = apart(before, after);
  return [
    ...removed.map((value) => ({ text: `value ${JSON.stringify(value)} removed`, isBreaking: use.request })),
    ...added.map((value) => ({ text: `value ${JSON.stringify(value)} added`, isBreaking: use.response })),
  ];
}

function valuesOf(schema: Members): readonly unknown[] | null {
  if (Array.isArray(schema['enum'])) return listOf(schema['enum']);
  return schema['const'] === undefined ? null : [schema['const']];
}

/** Limits of values; those of `least` get stricter when they grow. */
const limits = {
  most: ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'],
  least: ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'],
};

function compareLimits(a: Members, b: Members, use: Use): Difference[] {
  const differences: Difference[] = [];
  for (const name of [...limits.most, ...limits.least]) {
    const [before, after] = [a[name], b[name]];
    if (isSame(before, after)) continue;
    const isMost = limits.most.includes(name);
    const isStricter =
      typeof after === 'number' && (typeof before !== 'number' || (isMost ? after < before : after > before));
    differences.push({
      text: `${name} is ${shown(after)}, was ${shown(before)}`,
      isBreaking: use.request && isStricter,
    });
  }
  return differences;
}

function compareFormats(a: Members, b: Members, use: Comparison): Difference[] {
  return ['format', 'pattern', 'multipleOf', 'uniqueItems', 'additionalProperties'].flatMap((name) => {
    const [before, after] = [a[name], b[name]];
    if (meansSame(use.versions, before, after)) return [];
    const isFormat = name === 'format' && use.response && before !== undefined;
    const isStricter = use.request && after !== undefined && after !== true;
    return [{ text: `${name} is ${shown(after)}, was ${shown(before)}`, isBreaking: isFormat || isStricter }];
  });
}

function shown(value: unknown): string {
  if (value === undefined) return 'not set';
  return isMembers(value) ? typeOf(value) : JSON.stringify(value).slice(0, 100);
}

function compareCombined(a: Members, b: Members, use: Comparison): Difference[] {
  const differences: Difference[] = [];
  for (const name of ['oneOf', 'anyOf', 'allOf']) {
    const { removed, added } = apartByMeaning(use.versions, listOf(a[name]), listOf(b[name]));
    // Another alternative is more to be expected of answers; one more of `allOf` is more to be kept by requests.
    const isAll = name === 'allOf';
    if (removed.length > 0)
      differences.push({ text: `${name}: ${removed.length} removed`, isBreaking: isAll ? use.response : use.request });
    if (added.length > 0)
      differences.push({ text: `${name}: ${added.length} added`, isBreaking: isAll ? use.request : use.response });
  }
  for (const name of ['not', 'discriminator', 'if', 'then', 'else', 'patternProperties', 'prefixItems', 'contains'])
    if (!meansSame(use.versions, a[name], b[name])) differences.push({ text: `${name} changed`, isBreaking: true });
  return differences;
}

function compareRequired(a: Members, b: Members, use: Use): Difference[] {
  const { removed, added } = apart(listOf(a['required']), listOf(b['required']));
  const isKept = (name: unknown) => Object.hasOwn(members(b['properties']), String(name));
  return [
    ...added.map((name) => ({ text: `${String(name)} is required now`, isBreaking: use.request })),
    ...removed
      .filter(isKept)
      .map((name) => ({ text: `${String(name)} is no longer required`, isBreaking: use.response })),
  ];
}

function compareProperties(a: Members, b: Members, use: Comparison, place: string): Difference[] {
  const [before, after] = [members(a['properties']), members(b['properties'])];
  const path = (name: string) => (place === '' ? name : `${place}.${name}`);
  const differences: Difference[] = [];
  for (const [name, property] of Object.entries(before)) {
    if (Object.hasOwn(after, name)) differences.push(...compareSchemas(property, after[name], use, path(name)));
    else differences.push({ text: `${path(name)} removed`, isBreaking: true });
  }
  for (const name of Object.keys(after))
    if (!Object.hasOwn(before, name)) differences.push({ text: `${path(name)} added`, isBreaking: false });
  return differences;
}

function compareItems(a: Members, b: Members, use: Comparison, place: string): Difference[] {
  return compareSchemas(a['items'] ?? {}, b['items'] ?? {}, use, `${place}[]`);
}
