/**
 * The text of a session cookie: `scr_ses_`, an id of 20 base62 characters, `_`, and a secret of 43. It is
 * never valid in an `Authorization` header.
 */
const shape = /^scr_ses_([0-9A-Za-z]{20})_[0-9A-Za-z]{43}$/;

/** The name of the session cookie. */
export const sessionCookie = 'scriptorium_session';

/**
 * The text of a session, made of an id and a secret.
 * @throws RangeError when one of them is malformed; the message repeats neither
 */
export function formatSession(id: string, secret: string): string {
  const session = `scr_ses_${id}_${secret}`;
  if (!shape.test(session)) throw new RangeError('A session needs an id of 20 and a secret of 43 base62 characters');
  return session;
}

/** The id in the text of a session; null when the text is malformed. */
export function parseSession(text: string): string | null {
  return shape.exec(text)?.[1] ?? null;
}

/** The name of the cookie by which a browser is recognised when it returns from an identity provider. */
export const browserCookie = 'scriptorium_browser';
