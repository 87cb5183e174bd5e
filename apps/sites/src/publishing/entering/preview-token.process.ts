import type { Keyring } from '@scriptorium/platform';
import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';

const purpose = 'content-token';
const type = 'scriptorium-preview+jwt';
const lifetimeSeconds = 3_600;

/** A site that a member sees as a visitor with these claims does, published or not. */
const Preview = z.object({ site: z.string(), user: z.string(), claims: z.record(z.string(), z.unknown()) });
export type Preview = z.output<typeof Preview>;

/** A text for an address that shows a preview for an hour. `now`: ms since 1970. */
export function issuePreview(keys: Keyring, preview: Preview, now: number): Promise<string> {
  const key = keys.key(purpose);
  if (key === undefined) throw new Error('The keyring has no key that signs');
  const issuedAt = Math.floor(now / 1_000);
  return new SignJWT({ ...preview })
    .setProtectedHeader({ alg: 'HS256', typ: type, kid: keys.current })
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key);
}

/** The preview of a text; `undefined` for one that was not issued here or has ended. */
export async function readPreview(keys: Keyring, text: string, now: number): Promise<Preview | undefined> {
  try {
    const { payload } = await jwtVerify(
      text,
      ({ kid = '' }) => {
        const key = keys.key(purpose, kid);
        if (key === undefined) throw new Error('Unknown key');
        return key;
      },
      { algorithms: ['HS256'], typ: type, currentDate: new Date(now), requiredClaims: ['exp'] },
    );
    return Preview.parse(payload);
  } catch {
    return undefined;
  }
}
