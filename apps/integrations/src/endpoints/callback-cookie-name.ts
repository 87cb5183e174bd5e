export const callbackCookieStem = 'scriptorium-callback-';

/** Whether a cookie is of a browser that connects something, which scripts neither get nor set. Pure. */
export function isCallbackCookie(name: string): boolean {
  return name
    .trim()
    .toLowerCase()
    .replace(/^__(host|secure)-/, '')
    .startsWith(callbackCookieStem);
}
