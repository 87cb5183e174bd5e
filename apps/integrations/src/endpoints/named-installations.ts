const mostCharacters = 16_384;
const mostNames = 20;
const deepest = 3;
const id = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * The ids of installations that the state of a login may name: it is one, or an object in JSON that has them. Only what
 * comes back from another service has both a state and a code. `undefined`: the state is too long, too deep, or has too
 * many texts to tell. Pure.
 */
export function statedIds(url: string): string[] | undefined {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  if (!url.includes('?') || !query.has('code') || !query.has('state')) return [];
  const found = allOf(query.getAll('state').map(idsIn));
  const ids = [...new Set(found)];
  return found === undefined || ids.length > mostNames ? undefined : ids;
}

function idsIn(state: string): string[] | undefined {
  if (id.test(state)) return [state];
  return state.length > mostCharacters ? undefined : textsIn(parsed(state), 0);
}

function textsIn(value: unknown, depth: number): string[] | undefined {
  if (typeof value === 'string') return id.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return depth > deepest ? undefined : allOf(Object.values(value).map((one) => textsIn(one, depth + 1)));
}

/** The texts of all parts, if they can be told of each. */
function allOf(parts: readonly (string[] | undefined)[]): string[] | undefined {
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
