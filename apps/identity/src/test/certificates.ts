import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';

/** A key of an identity provider with its own certificate, both in PEM. */
export interface ProviderKey {
  privateKey: string;
  certificate: string;
}

/**
 * Creates a key, by default of 2,048 bits, with a self-signed certificate (RFC 5280). Node has no function for that.
 */
export function newProviderKey(name = 'idp.example', modulusLength = 2048): ProviderKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicKey = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' });
  const algorithm = der(0x30, oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), der(0x05));
  const who = der(0x30, der(0x31, der(0x30, oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))));
  const times = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    who,
    times,
    who,
    publicKey,
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature)).toString('base64');
  return {
    privateKey: pem,
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----`,
  };
}

function oid(...bytes: number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

/** A value with its tag and length (X.690). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const length =
    value.length < 128
      ? [value.length]
      : value.length < 256
        ? [0x81, value.length]
        : [0x82, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}
