import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@scriptorium/contracts';
import { parseKeyring } from '../process/keyring.js';
import { createPrincipalReader, signPrincipal } from './signed-principal.js';

const entry = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
const ring = (...ids: string[]) => parseKeyring([...ids, 'reservation'].map(entry).join());
const keys = ring('k1');
const principal: Principal = { kind: 'user', id: 'u1', operator: false, token: { id: 't', kind: 'personal' } };
const header = signPrincipal(keys, principal, 1_000_000);
const mac = header.slice('k1.1000000.'.length, header.indexOf(' '));
const refused = expect.objectContaining({ reason: 'unavailable' });

describe('a signed principal', () => {
  it('can be read any number of times', () => {
    const read = createPrincipalReader(keys, () => 1_000_000);
    expect([read(header), read(header)]).toEqual([principal, principal]);
  });

  it.each([[undefined], ['']])('is null without a header: %j', (none) => {
    expect(createPrincipalReader(keys)(none)).toBeNull();
  });

  it.each([
    ['another principal', header.replace('"u1"', '"u2"')],
    ['an operator', header.replace('"operator":false', '"operator":true')],
    ['another time', header.replace('1000000', '1000001')],
    ['another key', header.replace('k1', 'k2')],
    ['the reservation key', header.replace('k1', 'reservation')],
    ['no signature', JSON.stringify(principal)],
    ['a signature of one byte', header.replace(mac, mac.slice(0, 2))],
    ['an empty signature', header.replace(mac, '')],
    ['a longer signature', header.replace(mac, `${mac}00`)],
    ['no principal', header.slice(0, header.indexOf(' ') + 1)],
    ['other text', 'x'],
  ])('is refused with %s, also the second time', (_, forged) => {
    const read = createPrincipalReader(keys, () => 1_000_000);
    for (let n = 0; n < 2; n += 1) expect(() => read(forged)).toThrow(refused);
  });

  it('is accepted for five minutes, with clocks that differ in either direction', () => {
    let now = 1_000_000;
    const read = createPrincipalReader(keys, () => now);
    for (now of [1_300_000, 700_000]) expect(read(header)).toEqual(principal);
    for (now of [1_300_001, 699_999]) expect(() => read(header)).toThrow(refused);
  });

  it('is accepted as long as its key is in the keyring', () => {
    const now = () => 1_000_000;
    expect(createPrincipalReader(ring('k2', 'k1'), now)(header)).toEqual(principal);
    expect(() => createPrincipalReader(ring('k2'), now)(header)).toThrow(refused);
    expect(signPrincipal(ring('k2', 'k1'), principal, 1)).toMatch(/^k2\./);
  });

  it('may contain any text', () => {
    const odd = { ...principal, id: 'line\nbreak {} é' };
    expect(createPrincipalReader(keys, () => 5)(signPrincipal(keys, odd, 5))).toEqual(odd);
  });
});
