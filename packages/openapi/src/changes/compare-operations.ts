import type { CompleteOperation } from '../slices/operations.js';
import { entriesOf, listOf, members, type Members } from '../text/values.js';
import { compareSchemas } from './compare-schemas.js';
import { apart, isSame, type Difference, type Use } from './difference.js';

/** What each side of an operation is: of a webhook, the client is who gets the request. */
export interface Sides {
  sent: Use;
  received: Use;
}

export function compareOperations(before: CompleteOperation, after: CompleteOperation, sides: Sides): Difference[] {
  const [a, b] = [before.operation, after.operation];
  const texts = ['summary', 'description', 'tags', 'operationId', 'externalDocs'].filter(
    (name) => !isSame(a[name], b[name]),
  );
  return [
    ...(a['deprecated'] !== true && b['deprecated'] === true ? [{ text: 'deprecated', isBreaking: false }] : []),
    ...compareParameters(a, b, sides.sent),
    ...compareBodies(a['requestBody'], b['requestBody'], sides.sent),
    ...compareResponses(members(a['responses']), members(b['responses']), sides.received),
    ...compareSecurity(listOf(a['security']), listOf(b['security'])),
    ...(isSame(before.servers, after.servers) ? [] : [{ text: 'servers changed', isBreaking: false }]),
    ...(texts.length === 0 ? [] : [{ text: `${texts.join(', ')} changed`, isBreaking: false }]),
  ];
}

function compareParameters(a: Members, b: Members, use: Use): Difference[] {
  const [before, after] = [parametersOf(a), parametersOf(b)];
  const differences: Difference[] = [];
  for (const [name, parameter] of after) {
    const old = before.get(name);
    const isRequired = parameter['required'] === true;
    if (old === undefined) {
      differences.push({ text: `${name} added${isRequired ? ', required' : ''}`, isBreaking: isRequired });
      continue;
    }
    if (isRequired && old['required'] !== true) differences.push({ text: `${name} is required now`, isBreaking: true });
    differences.push(...compareSchemas(schemaOf(old), schemaOf(parameter), use, name));
    const how = ['style', 'explode'].filter((one) => !isSame(old[one], parameter[one]));
    if (how.length > 0) differences.push({ text: `${name}: ${how.join(', ')} changed`, isBreaking: true });
  }
  for (const name of before.keys())
    if (!after.has(name)) differences.push({ text: `${name} removed`, isBreaking: true });
  return differences;
}

function parametersOf(operation: Members): Map<string, Members> {
  const parameters = listOf(operation['parameters']).map(members);
  return new Map(parameters.map((one) => [`${String(one['in'])} parameter ${String(one['name'])}`, one]));
}

function schemaOf(parameter: Members): unknown {
  const [media] = Object.values(members(parameter['content']));
  return parameter['schema'] ?? members(media)['schema'] ?? {};
}

function compareBodies(before: unknown, after: unknown, use: Use): Difference[] {
  const [a, b] = [members(before), members(after)];
  const isRequired = b['required'] === true;
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ text: `body added${isRequired ? ', required' : ''}`, isBreaking: isRequired }];
  if (after === undefined) return [{ text: 'body removed', isBreaking: true }];
  const required = isRequired && a['required'] !== true ? [{ text: 'body is required now', isBreaking: true }] : [];
  return [...required, ...compareContents(a['content'], b['content'], use, 'body')];
}

function compareResponses(a: Members, b: Members, use: Use): Difference[] {
  const differences: Difference[] = [];
  for (const [status, response] of Object.entries(a)) {
    if (!Object.hasOwn(b, status)) {
      differences.push({ text: `response ${status} removed`, isBreaking: /^2/.test(status) });
      continue;
    }
    const other = members(b[status]);
    differences.push(...compareContents(members(response)['content'], other['content'], use, `response ${status}`));
  }
  for (const status of Object.keys(b))
    if (!Object.hasOwn(a, status)) differences.push({ text: `response ${status} added`, isBreaking: false });
  return differences;
}

function compareContents(before: unknown, after: unknown, use: Use, place: string): Difference[] {
  const [a, b] = [members(before), members(after)];
  const differences: Difference[] = [];
  for (const [type, media] of entriesOf(a)) {
    if (!Object.hasOwn(b, type)) differences.push({ text: `${place}: ${type} removed`, isBreaking: true });
    else
      differences.push(...compareSchemas(members(media)['schema'] ?? {}, members(b[type])['schema'] ?? {}, use, place));
  }
  for (const type of Object.keys(b))
    if (!Object.hasOwn(a, type)) differences.push({ text: `${place}: ${type} added`, isBreaking: false });
  return differences;
}

/** A way of authorization that goes breaks who used it; no authorization is a way, too. */
function compareSecurity(a: readonly unknown[], b: readonly unknown[]): Difference[] {
  if (isSame(a, b)) return [];
  const open = [{}];
  const { removed } = apart(a.length === 0 ? open : a, b.length === 0 ? open : b);
  const becomesOpen = b.length === 0 || b.some((way) => isSame(way, {}));
  return [{ text: 'authorization changed', isBreaking: removed.length > 0 && !becomesOpen }];
}
