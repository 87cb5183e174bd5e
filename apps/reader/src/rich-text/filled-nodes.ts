import type { Child } from './html.js';

/** A text with nodes that are put in, as `filled` does with texts. */
export function filledNodes(text: string, values: Readonly<Record<string, Child>>): Child[] {
  return text.split(/(\{\w+\})/).map((part): Child => {
    const name = part.slice(1, -1);
    return part.startsWith('{') && Object.hasOwn(values, name) ? values[name] : part;
  });
}
