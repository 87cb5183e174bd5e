/**
 * The text of a session cookie: `scr_ses_`, an id of 20 base62 characters, `_`, and a secret of 43. It is
 * never valid in an `Authorization` header.
 */
const shape = /^scr_ses_([0-9A-Za-z]{20})_[0-9A-Za-z]{43}$/;

/** Name of the cookie that carries it. */
export const sessionCookie = 'scriptorium_session';

/**
 * The text of an id and a secret.
 * Throws a `RangeError` that repeats neither when one of them has another form.
 */
export function formatSession(id: string, secret: string): string {
  const session = `scr_ses_${id}_${secret}`;
  if (!shape.test(session)) throw new RangeError('A session needs an id of 20 and a secret of 43 base62 characters');
  return session;
}

/** The id in the text of a session; null when its form is wrong. */
export function parseSession(text: string): string | null {
  return shape.exec(text)?.[1] ?? null;
}

/** Name of the cookie by which a browser that was sent to an identity provider is known again when it comes back. */
export const browserCookie = 'scriptorium_browser';
