import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { createOrganizationSAMLProvider } from './sso.js';

const certificate = `-----BEGIN CERTIFICATE-----
MIIBQjCB9aADAgECAhQ4rYPrURNHWq2I0xHM/xJ6ftDI4TAFBgMrZXAwFjEUMBIG
A1UEAwwLaWRwLmV4YW1wbGUwIBcNMjYxMTIxMTcwNjA5WhgPMjEyNjEwMjgxNzA2
MDlaMBYxFDASBgNVBAMMC2lkcC5leGFtcGxlMCowBQYDK2VwAyEALXCYZZdbL+hC
Ylwrs1PZcJtn3dTxnNfKs/4jF56MwWOjUzBRMB0GA1UdDgQWBBR/vbkFwx4Jn89g
XRwhlmXaaaNoCjAfBgNVHSMEGDAWgBR/vbkFwx4Jn89gXRwhlmXaaaNoCjAPBgNV
HRMBAf8EBTADAQH/MAUGAytlcANBAEs8QRoF/lDKo0Z215PL7XhL2Af54RrKZ3/I
bhCycS+mZoCRqdJy7T0yMyCRBRajttqi6M8SKJ1DEnsE8MTBBAM=
-----END CERTIFICATE-----`;
const naked = (pem: string) => pem.replace(/-----.*-----/g, '').trim();
const takes = (text: string) =>
  createOrganizationSAMLProvider.body?.safeParse({ label: 'x', certificate: text }).success;

const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const edwards = generateKeyPairSync('ed25519').privateKey;
const sealed = { cipher: 'aes-256-cbc', passphrase: 'x' } as const;
const keys: [name: string, key: Buffer][] = [
  ['PKCS #8', rsa.export({ type: 'pkcs8', format: 'der' })],
  ['PKCS #1', rsa.export({ type: 'pkcs1', format: 'der' })],
  ['SEC 1', curve.export({ type: 'sec1', format: 'der' })],
  ['PKCS #8 of a small key', edwards.export({ type: 'pkcs8', format: 'der' })],
  ['PKCS #8 under a password', rsa.export({ type: 'pkcs8', format: 'der', ...sealed })],
  ['PKCS #12', Buffer.concat([Buffer.from('308204000201033082', 'hex'), Buffer.alloc(1_000, 7)])],
  ['OpenSSH', Buffer.concat([Buffer.from('openssh-key-v1\0'), Buffer.alloc(400, 7)])],
  ['the bytes of a key', edwards.export({ type: 'pkcs8', format: 'der' }).subarray(-32)],
  ['the end of a key', rsa.export({ type: 'pkcs8', format: 'der' }).subarray(100)],
];

describe('a certificate of a provider', () => {
  it.each([
    ['one', certificate],
    ['two', `${certificate}\n${certificate}`],
    ['one with lines of another system, and blanks around it', `\r\n ${certificate.replaceAll('\n', '\r\n')}\r\n`],
    ['one without armour', naked(certificate)],
    ['one that is cut off', certificate.slice(0, 300)],
    ['what somebody wrote instead', 'no certificate'],
  ])('may be %s', (_, text) => {
    expect(takes(text)).toBe(true);
  });

  it('is one', () => {
    expect(new X509Certificate(certificate).subject).toBe('CN=idp.example');
  });

  it.each(keys)('is refused if it is a private key in the form of %s, in any notation', (_, key) => {
    const line = key.toString('base64');
    const lines = line.replace(/.{64}/g, '$&\n');
    const pem = (label: string) => `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----`;
    const written = [
      line,
      lines,
      `  ${lines.replaceAll('\n', '\r\n')}\r\n`,
      key.toString('base64url'),
      `key: ${lines}`,
      `"${line}"`,
      pem('CERTIFICATE'),
      pem('PRIVATE KEY'),
      `${certificate}\n${lines}`,
      `${lines}\n${certificate}`,
      `${naked(certificate)}\n${lines}`,
      certificate.replace('\n-----END', `\n${lines}\n-----END`),
    ];
    expect(written.map(takes)).toEqual(written.map(() => false));
  });
});
