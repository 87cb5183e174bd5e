import { createHash } from 'node:crypto';
import type { OwnFonts } from '../style/fonts.js';

/** What else a page of a site needs: fonts of the reader, and the origins of what it embeds. */
interface AlsoAllowed {
  hasNamedFonts?: boolean | undefined;
  frames?: readonly string[] | undefined;
}

/**
 * What a page may do: nothing runs in it but the script of the reader, which asks the site alone, and nothing is loaded
 * but styles of the reader, images and the fonts of the site. `contentOrigin`: where files are served.
 */
export function policyOf(contentOrigin: string, own: OwnFonts | undefined, more: AlsoAllowed = {}): string {
  const elsewhere = contentOrigin.startsWith('https:') ? 'https:' : 'https: http:';
  const { styles = '', fonts = [] } = own === undefined ? {} : allowedFor(own, contentOrigin, elsewhere);
  const { hasNamedFonts = false, frames = [] } = more;
  const fontsFrom = [...(hasNamedFonts ? ["'self'"] : []), ...fonts];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `style-src 'self'${styles}`,
    `img-src 'self' ${elsewhere}`,
    ...(fontsFrom.length === 0 ? [] : [`font-src ${fontsFrom.join(' ')}`]),
    ...(frames.length === 0 ? [] : [`frame-src ${frames.join(' ')}`]),
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
