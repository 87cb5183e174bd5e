import { entriesOf, isMembers, members, methods, type Members } from '../text/values.js';

/** The operations of a path or webhook by their methods, those of OpenAPI 3.2 (`additionalOperations`) too. */
export function operationsOfItem(item: Members): [method: string, operation: Members][] {
  const found = entriesOf(item).filter(([method]) => methods.has(method));
  const more = entriesOf(item['additionalOperations']).filter(([method]) => !methods.has(method.toLowerCase()));
  return [...found, ...more].map(([method, operation]) => [method.toLowerCase(), members(operation)]);
}

/** Whether a path or webhook has operations that OpenAPI 3.1 does not have. */
export function isBeyond31(item: Members): boolean {
  return isMembers(item['query']) || isMembers(item['additionalOperations']);
}
