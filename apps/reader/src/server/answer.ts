import type { OwnFonts } from '../style/fonts.js';
import type { Sources } from '../visit/scripts.js';

/** What the reader answers. */
export interface Answer {
  status: number;
  body: string | Buffer;
  type:
    | 'text/html'
    | 'text/markdown'
    | 'text/plain'
    | 'application/json'
    | 'text/event-stream'
    | 'application/xml'
    | 'application/rss+xml'
    | 'text/css'
    | 'text/javascript'
    | 'image/svg+xml'
    | 'font/woff2';
  location?: string;
  /** A cookie to set, or to remove. */
  cookie?: string;
  /** Headers of this answer alone. */
  more?: Readonly<Record<string, string>>;
  /** Seconds after which to try again. */
  retryAfter?: number;
  /** Never changes: its address names its version. */
  isForever?: boolean;
  /** What a page has of its own that its policy has to allow. */
  own?: OwnFonts;
  /** A page that is shown in fonts of the reader. */
  hasNamedFonts?: boolean;
  /** The origins of what a page embeds. */
  frames?: readonly string[];
  /** What scripts of the page may load and connect to. */
  sources?: Sources;
}

export function html(body: string, status = 200): Answer {
  return { status, body, type: 'text/html' };
}

/** The path of an address with its query. One that begins with two slashes would lead to another host. */
export function localPath({ pathname, search }: URL): string {
  return `${pathname.replace(/^\/{2,}/, '/')}${search}`;
}

export function redirect(location: string, status: 302 | 303 | 307 | 308 = 307): Answer {
  return { status, body: '', type: 'text/plain', location };
}
