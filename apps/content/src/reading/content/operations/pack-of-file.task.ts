import { compile } from '@scriptorium/openapi';

/** The pack of a specification that is a file; `null` for a text that is none. Pure, so that it can run in a worker. */
export async function packOfText(text: string): Promise<Uint8Array | null> {
  const made = await compile(text);
  return made.isReadable ? made.pack.bytes : null;
}
