const mostCharacters = 4_096;
const mostNames = 20;
const id = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * The ids of installations that the state of a login may name: it is one, or an object in JSON that has them. Only what
 * comes back from another service has both a state and a code. Pure.
 */
export function statedIds(url: string): string[] {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  if (!url.includes('?') || !query.has('code') || !query.has('state')) return [];
  return [...new Set(query.getAll('state').flatMap(idsIn))].slice(0, mostNames);
}

function idsIn(state: string): string[] {
  if (id.test(state)) return [state];
  if (state.length > mostCharacters) return [];
  return textsIn(parsed(state), 0).filter((one) => id.test(one));
}

function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
