import { createHash } from 'node:crypto';
import type { OwnFonts } from '../style/fonts.js';
import type { Sources } from '../visit/scripts.js';

/** What else a page of a site needs: fonts of the reader, the origins of what it embeds, and what its scripts use. */
interface AlsoAllowed {
  hasNamedFonts?: boolean | undefined;
  frames?: readonly string[] | undefined;
  sources?: Sources | undefined;
}

/**
 * What a page may do: nothing runs in it but the script of the reader, which asks the site alone, and nothing is loaded
 * but styles of the reader, images and the fonts of the site. Scripts of integrations get what they have stated.
 * `contentOrigin`: where files are served.
 */
export function policyOf(contentOrigin: string, own: OwnFonts | undefined, more: AlsoAllowed = {}): string {
  const elsewhere = contentOrigin.startsWith('https:') ? 'https:' : 'https: http:';
  const { styles = '', fonts = [] } = own === undefined ? {} : allowedFor(own, contentOrigin, elsewhere);
  const { hasNamedFonts = false, frames = [], sources = {} } = more;
  const also = (name: keyof Sources): string => (sources[name] ?? []).map((source) => ` ${source}`).join('');
  const fontsFrom = [...(hasNamedFonts ? ["'self'"] : []), ...fonts, ...(sources['font-src'] ?? [])];
  const framed = [...frames, ...(sources['frame-src'] ?? [])];
  return [
    "default-src 'none'",
    `script-src 'self'${also('script-src')}`,
    `connect-src 'self'${also('connect-src')}`,
    `style-src 'self'${styles}${also('style-src')}`,
    `img-src 'self' ${elsewhere}${also('img-src')}`,
    ...(sources['media-src'] === undefined ? [] : [`media-src${also('media-src')}`]),
    ...(fontsFrom.length === 0 ? [] : [`font-src ${fontsFrom.join(' ')}`]),
    ...(framed.length === 0 ? [] : [`frame-src ${framed.join(' ')}`]),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Fonts that are no files of the site may come from where images may come from. */
function allowedFor({ style, files }: OwnFonts, contentOrigin: string, elsewhere: string) {
  const hash = createHash('sha256').update(style).digest('base64');
  const areKept = files.every((url) => url.startsWith(`${contentOrigin}/`));
  return {
    styles: ` 'sha256-${hash}'`,
    fonts: areKept ? [contentOrigin] : [contentOrigin, elsewhere],
  };
}
