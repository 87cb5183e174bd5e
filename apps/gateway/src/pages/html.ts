import { escapeHTML } from '@scriptorium/platform';

/** Text that is HTML and needs no escaping. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

/** HTML from a template. Values are escaped, unless they are `Html`. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(fixed.reduce((text, next, at) => text + render(parts[at - 1] ?? '') + next));
}

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escapeHTML(String(part));
}

export const nothing = new Html('');
