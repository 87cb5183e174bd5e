import type { SamePages } from '../visit/same-pages.js';
import type { SiteView } from '../visit/site-view.js';
import type { Consent } from '../visit/scripts.js';
import type { Referred } from './links.js';

/** What stands around the main part of every page of a site. */
export interface Frame {
  view: SiteView;
  referred: Referred;
  /** The title of the page; that of the site alone when it is empty. */
  title: string;
  description?: string | undefined;
  /** The address under which search engines know the page. */
  canonical?: string | undefined;
  /** The address of a picture of the page. */
  image?: string | undefined;
  /** The page in other forms. */
  alternates?: readonly { type: string; href: string; title?: string }[];
  /** The page in the languages in which the site offers it. */
  languages?: readonly { hreflang: string; href: string }[];
  /** The page in the other spaces of its section. */
  same?: SamePages;
  /** Whether search engines may list the page. */
  isListed: boolean;
  /** The theme that the visitor has chosen. */
  theme?: string | undefined;
  /** What the visitor has said about cookies. */
  consent?: Consent | undefined;
  /** The address of the page within the site, to which its forms are sent. */
  self: string;
  /** What was searched for; the page has a box for it of its own. */
  query?: string | undefined;
}
