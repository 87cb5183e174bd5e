import { styleAt, stylePath } from '../style/style.js';

/** The main part of a page with the style of the reader, as a file that a browser opens. */
export function wholeHtml(title: string, text: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width"><style>${styleAt(stylePath) ?? ''}</style></head><body><div class="frame"><main id="main"><h1>${title}</h1><div class="text">${text}</div></main></div></body></html>`;
}
