import { specsOf } from './openapi-specs.js';
import type { Rig } from './rig.js';

/** Gives an organization a specification, or another text of it, and waits until it is read; the newest version. */
export async function putSpec(
  rig: Pick<Rig, 'send' | 'organization'>,
  slug: string,
  specification: object,
  organization?: string,
): Promise<string> {
  const { lastVersion = '' } = await specsOf(rig, organization).given(slug, { text: JSON.stringify(specification) });
  return lastVersion;
}
