/** Signs texts with the keys of the installation. */
export interface Signer {
  readonly current: string;
  sign(purpose: 'file-url', text: string, bytes?: number): string;
  verify(purpose: 'file-url', text: string, mac: string, id: string): boolean;
}

/** What is signed: what an address is for, and everything that it names. */
type Signed = readonly (string | number)[];

const signatureBytes = 16;

/** The signature of an address, with the id of its key. It is the same as long as the key is. */
export function signatureOf(signer: Signer, what: Signed): string {
  return `${signer.current}.${signer.sign('file-url', JSON.stringify(what), signatureBytes)}`;
}

export function isSigned(signer: Signer, what: Signed, signature: string): boolean {
  const [, id, mac] = /^([\w-]{1,32})\.([0-9a-f]{32})$/.exec(signature) ?? [];
  return id !== undefined && mac !== undefined && signer.verify('file-url', JSON.stringify(what), mac, id);
}
