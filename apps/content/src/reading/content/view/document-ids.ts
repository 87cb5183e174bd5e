/** Names documents of one space for its readers. */
export interface DocumentIds {
  /** The id of a document, by its name among the objects. */
  idOf(name: string): string;
  /** The name of the document with an id; `undefined` for an id of another space. */
  nameIn(id: string): string | undefined;
}

interface Digests {
  digest(kind: string, ...parts: readonly string[]): Buffer;
}

/**
 * Ids of the documents of a space. Spaces with a common history share objects, and the name of an object is the hash of
 * its text. So an id has a keyed digest of the space: nobody can make one up, and the id of one space opens nothing in
 * another.
 */
export function documentIds(keys: Digests, space: string): DocumentIds {
  const proofOf = (name: string): Buffer => keys.digest('content-document', space, name).subarray(0, 16);
  return {
    idOf: (name) => `${name}_${proofOf(name).toString('hex')}`,
    nameIn(id) {
      const [, name, proof] = /^([0-9a-f]{64})_([0-9a-f]{32})$/.exec(id) ?? [];
      if (name === undefined || proof === undefined) return undefined;
      return proofOf(name).equals(Buffer.from(proof, 'hex')) ? name : undefined;
    },
  };
}
