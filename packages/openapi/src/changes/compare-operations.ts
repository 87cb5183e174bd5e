import type { CompleteOperation } from '../slices/operations.js';
import { listOf, members, type Members } from '../text/values.js';
import type { Comparison } from './comparison.js';
import { compareContents, compareResponses, schemaOf } from './compare-responses.js';
import { compareSchemas } from './compare-schemas.js';
import { compareSchemes, compareSecurity } from './compare-security.js';
import { changedMembers, isSame, type Difference } from './difference.js';

/** What each side of an operation is: of a webhook, the client is who gets the request. */
export interface Sides {
  sent: Comparison;
  received: Comparison;
}

/** Members of an operation that are compared one by one. */
const compared = ['parameters', 'requestBody', 'responses', 'security', 'deprecated', 'servers'];
const texts = ['summary', 'description', 'tags', 'operationId', 'externalDocs'];

export function compareOperations(before: CompleteOperation, after: CompleteOperation, sides: Sides): Difference[] {
  const [a, b] = [before.operation, after.operation];
  const changed = texts.filter((name) => !isSame(a[name], b[name]));
  const isDeprecated = b['deprecated'] === true;
  return [
    ...((a['deprecated'] === true) === isDeprecated
      ? []
      : [{ text: isDeprecated ? 'deprecated' : 'no longer deprecated', isBreaking: false }]),
    ...compareParameters(a, b, sides.sent),
    ...compareBodies(a['requestBody'], b['requestBody'], sides.sent),
    ...compareResponses(members(a['responses']), members(b['responses']), sides.received),
    ...compareSecurity(listOf(a['security']), listOf(b['security'])),
    ...compareSchemes(before.securitySchemes, after.securitySchemes),
    ...(isSame(before.servers, after.servers) ? [] : [{ text: 'servers changed', isBreaking: false }]),
    ...(changed.length === 0 ? [] : [{ text: `${changed.join(', ')} changed`, isBreaking: false }]),
    ...changedMembers(a, b, [...compared, ...texts]),
  ];
}

function compareParameters(a: Members, b: Members, use: Comparison): Difference[] {
  const [before, after] = [parametersOf(a), parametersOf(b)];
  const differences: Difference[] = [];
  for (const [name, parameter] of after) {
    const old = before.get(name);
    const isRequired = parameter['required'] === true;
    if (old === undefined)
      differences.push({ text: `${name} added${isRequired ? ', required' : ''}`, isBreaking: isRequired });
    else differences.push(...compareParameter(old, parameter, use, name));
  }
  for (const name of before.keys())
    if (!after.has(name)) differences.push({ text: `${name} removed`, isBreaking: true });
  return differences;
}

function compareParameter(old: Members, parameter: Members, use: Comparison, name: string): Difference[] {
  const how = ['style', 'explode'].filter((one) => !isSame(old[one], parameter[one]));
  return [
    ...compareRequired(old, parameter, name),
    ...compareSchemas(schemaOf(old), schemaOf(parameter), use, name),
    ...(how.length === 0 ? [] : [{ text: `${name}: ${how.join(', ')} changed`, isBreaking: true }]),
    ...changedMembers(old, parameter, ['name', 'in', 'required', 'schema', 'content', 'style', 'explode'], name),
  ];
}

function compareRequired(a: Members, b: Members, name: string): Difference[] {
  const isRequired = b['required'] === true;
  if ((a['required'] === true) === isRequired) return [];
  return [{ text: `${name} is ${isRequired ? 'required now' : 'no longer required'}`, isBreaking: isRequired }];
}

function parametersOf(operation: Members): Map<string, Members> {
  const parameters = listOf(operation['parameters']).map(members);
  return new Map(parameters.map((one) => [`${String(one['in'])} parameter ${String(one['name'])}`, one]));
}

function compareBodies(before: unknown, after: unknown, use: Comparison): Difference[] {
  const [a, b] = [members(before), members(after)];
  const isRequired = b['required'] === true;
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ text: `body added${isRequired ? ', required' : ''}`, isBreaking: isRequired }];
  if (after === undefined) return [{ text: 'body removed', isBreaking: true }];
  return [
    ...compareRequired(a, b, 'body'),
    ...compareContents(a['content'], b['content'], use, 'body'),
    ...changedMembers(a, b, ['required', 'content'], 'body'),
  ];
}
