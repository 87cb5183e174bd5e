import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import { decodeNumericCharacterReference } from 'micromark-util-decode-numeric-character-reference';

/** Character references to characters; what is not one stays as written. */
export function decodeEntities(value: string): string {
  if (!value.includes('&')) return value;
  return value.replace(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z][a-z0-9]{1,31}));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return decodeNumericCharacterReference(hex, 16);
      if (decimal !== undefined) return decodeNumericCharacterReference(decimal, 10);
      return decodeNamedCharacterReference(name ?? '') || all;
    },
  );
}
