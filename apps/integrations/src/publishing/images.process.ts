import { sniff } from '@scriptorium/blobs';
import { blaming, integrationBounds, invalid } from '@scriptorium/contracts';
import { hashOf } from './asset-store.process.js';

/** An image that was published. */
export interface PublishedImage {
  bytes: Uint8Array;
  hash: string;
  type: string;
}

/** Types of images that nothing in a browser runs. */
const shown: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);

/**
 * Reads the icon and the previews of a publication. What an image is, its bytes tell, not its name.
 * @throws AppError `invalid_request` and `too_large` naming the field
 */
export async function readImages({
  icon,
  previewImages,
}: {
  icon?: string | undefined;
  previewImages: readonly string[];
}): Promise<{ icon: PublishedImage | null; previews: PublishedImage[] }> {
  const { iconBytes, previewBytes } = integrationBounds;
  const previews: PublishedImage[] = [];
  for (const [i, one] of previewImages.entries())
    previews.push(await readImage(`body.previewImages[${i}]`, one, previewBytes));
  return { icon: icon === undefined || icon === '' ? null : await readImage('body.icon', icon, iconBytes), previews };
}

async function readImage(field: string, base64: string, most: number): Promise<PublishedImage> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > most) throw blaming('too_large', field, `At most ${most} bytes`);
  const { contentType: type } = await sniff(bytes);
  if (!shown.has(type)) throw invalid(field, 'Must be a PNG, JPEG or WebP image');
  return { bytes, hash: hashOf(bytes), type };
}
