/** Types that a browser shows without running anything of them. PDF and SVG may hold scripts. */
const PASSIVE: ReadonlySet<string> = new Set([
  'application/ogg',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/x-m4a',
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/x-icon',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/quicktime',
  'video/webm',
  'video/x-m4v',
]);

/**
 * Whether a browser may show a file of this type itself (`Content-Disposition: inline`). Everything else is to be
 * served as an attachment; all of it with `X-Content-Type-Options: nosniff`. Parameters of the type (`; charset=utf-8`)
 * do not count.
 */
export function servedInline(contentType: string): boolean {
  const [essence = ''] = contentType.split(';', 1);
  return PASSIVE.has(essence.trim().toLowerCase());
}
