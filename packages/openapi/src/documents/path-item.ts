import { entriesOf, isMembers, members, methods, setMember, type Members } from '../text/values.js';

/** The operations of a path or webhook by their methods, those of OpenAPI 3.2 (`additionalOperations`) too. */
export function operationsOfItem(item: Members): [method: string, operation: Members][] {
  const found = entriesOf(item).filter(([method]) => methods.has(method));
  const more = entriesOf(item['additionalOperations']).filter(([method]) => !methods.has(method.toLowerCase()));
  return [...found, ...more].map(([method, operation]) => [method.toLowerCase(), members(operation)]);
}

/** Where OpenAPI 3.1 has the operations that it knows no methods for, by the registry of extensions. */
const extension = 'x-oai-additionalOperations';

/**
 * The document as OpenAPI 3.1 if it was 3.2: operations whose methods 3.1 does not have become an extension, which
 * other programs read as that. The value is not changed.
 */
export function storedDocument(root: Members): Members {
  if (!/^3\.[2-9]/.test(String(root['openapi']))) return root;
  const { paths, webhooks, components } = root;
  const pathItems = members(components)['pathItems'];
  return {
    ...root,
    openapi: '3.1.1',
    ...(isMembers(paths) && { paths: mapped(paths, storedItem) }),
    ...(isMembers(webhooks) && { webhooks: mapped(webhooks, storedItem) }),
    ...(isMembers(pathItems) && { components: { ...members(components), pathItems: mapped(pathItems, storedItem) } }),
  };
}

function mapped(items: Members, map: (item: unknown) => unknown): Members {
  const changed: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(items)) setMember(changed, name, map(item));
  return changed;
}

function storedItem(given: unknown): unknown {
  if (!isMembers(given)) return given;
  const { query, additionalOperations, ...item } = given;
  if (!isMembers(query) && !isMembers(additionalOperations)) return given;
  const more = { ...members(additionalOperations), ...(isMembers(query) && { QUERY: query }) };
  return { ...item, [extension]: more };
}
