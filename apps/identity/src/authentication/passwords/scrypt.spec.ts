import { scryptSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { PasswordHashing } from './scrypt.hashing.js';

describe('a password hash', () => {
  const hashing = new PasswordHashing();

  it('names its cost and salt, and matches its password in any Unicode normal form', async () => {
    const hash = await hashing.hash('caf\u00e9 au lait');
    expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/);
    expect(await hashing.hash('caf\u00e9 au lait')).not.toBe(hash);
    expect(await hashing.verify('cafe\u0301 au lait', hash)).toEqual({ matches: true, outdated: false });
    expect(await hashing.verify('cafe au lait', hash)).toEqual({ matches: false, outdated: false });
  });

  it('of another cost still matches, and is reported as outdated', async () => {
    const salt = Buffer.from('SodiumChlorideSo').toString('base64url');
    const derived = scryptSync('password', Buffer.from('SodiumChlorideSo'), 32, { N: 16, r: 1, p: 1 }).toString(
      'base64url',
    );
    expect(await hashing.verify('password', `$scrypt$ln=4,r=1,p=1$${salt}$${derived}`)).toEqual({
      matches: true,
      outdated: true,
    });
  });

  it('never matches when it is absent, and is an error when its form is unknown', async () => {
    expect((await hashing.verify('', null)).matches).toBe(false);
    await expect(hashing.verify('x', '$argon2id$v=19$x')).rejects.toThrow('unknown form');
  });

  it('is refused as unavailable when too many others wait to be computed', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 60 }, () =>
        hashing.verify('x', '$scrypt$ln=1,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$' + 'A'.repeat(43)),
      ),
    );
    const refused = tries.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ reason: { reason: 'unavailable' } });
    expect((await hashing.verify('x', null)).matches).toBe(false);
  });
});
