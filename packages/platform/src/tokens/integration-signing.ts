import type { Keyring } from '../process/keyring.js';

/** Whose secret it is: of an integration, of an installation, or of a space or site of it. */
export interface Signer {
  owner: string;
  target?: string | undefined;
  /** How often the keys of the owner were rotated. */
  generation: number;
}

/**
 * The secret with which an integration signs: 32 bytes as base64. It is stored nowhere and sent to no service: each one
 * that has the keys of the installation can make it.
 */
export function signingSecret(keys: Pick<Keyring, 'digest'>, { owner, target = '', generation }: Signer): string {
  return keys.digest('integration-signing', owner, target, String(generation)).toString('base64');
}
