import { Url } from '../kernel/common.js';

/**
 * An address to which visitors are sent. With a name or a password in it, it would look as if it led to another host.
 */
export const VisitorUrl = Url.refine((url) => !hasUser(url), 'Must not have a user name or a password');

function hasUser(text: string): boolean {
  try {
    const { username, password } = new URL(text);
    // An empty name before `@` is none, and hides the host all the same.
    return username !== '' || password !== '' || /^[a-z]+:[\\/]*[^\\/?#]*@/i.test(text);
  } catch {
    return false;
  }
}
