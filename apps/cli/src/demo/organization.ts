import type { ContentReference, MemberRole } from '@scriptorium/contracts';
import { slug } from './specification.js';

/** What the demo loads: an organization, and who and what is in it. */

export const title = 'Lighthouse';
/** Its title until everything is there. */
export const titleWhileLoading = 'Lighthouse (loading)';

export interface DemoPerson {
  name: string;
  email: string;
  role: MemberRole | null;
}

const person = (name: string, role: MemberRole | null): DemoPerson => ({
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@lighthouse.example`,
  role,
});

/** Eight members; the last one is a guest. */
export const people: readonly DemoPerson[] = [
  person('Amara Okafor', 'create'),
  person('Bela Kovacs', 'read'),
  person('Chen Wei', 'read'),
  person('Dalia Haddad', 'read'),
  person('Emil Lindqvist', 'read'),
  person('Farah Rahimi', 'read'),
  person('Goran Petrov', 'read'),
  person('Hana Sato', null),
];

type CollectionName = 'Product' | 'Engineering';

export interface DemoTeam {
  title: string;
  /** Places in `people`; the first one owns the team. */
  members: readonly number[];
  grants: readonly { collection: CollectionName; role: MemberRole }[];
}

export const teams: readonly DemoTeam[] = [
  { title: 'Writers', members: [0, 1, 2], grants: [{ collection: 'Product', role: 'review' }] },
  { title: 'Engineers', members: [3, 4, 5], grants: [{ collection: 'Engineering', role: 'edit' }] },
  { title: 'Support', members: [6, 7], grants: [{ collection: 'Product', role: 'comment' }] },
];

export const collections: readonly CollectionName[] = ['Product', 'Engineering'];

/** Groups of pages by title, from files and folders of the repository. The group with an empty title is the top. */
export type DemoGroups = Readonly<Record<string, readonly string[]>>;

export interface DemoSpace {
  title: string;
  /** Code points in hexadecimal. */
  emoji: string;
  collection: CollectionName;
  content: { template: string; contentRefs: Readonly<Record<string, ContentReference>> } | { groups: DemoGroups };
  /** Places in `people` of those who write it. */
  authors: readonly number[];
}

/** A place outside the product. */
const outside = (url: string): ContentReference => ({ kind: 'url', url });

export const spaces: readonly DemoSpace[] = [
  {
    title: 'Product guide',
    emoji: '1f4d6',
    collection: 'Product',
    content: { template: 'product-docs', contentRefs: { support: outside('https://lighthouse.example/support') } },
    authors: [0],
  },
  {
    title: 'API guide',
    emoji: '1f50c',
    collection: 'Product',
    content: {
      template: 'api-docs',
      contentRefs: {
        status: outside('https://status.lighthouse.example'),
        specification: { kind: 'openapi', spec: slug },
      },
    },
    authors: [0],
  },
  {
    title: 'Help center',
    emoji: '1f6df',
    collection: 'Product',
    content: { template: 'help-center', contentRefs: { contact: outside('https://lighthouse.example/contact') } },
    authors: [0],
  },
  {
    title: 'Scriptorium',
    emoji: '1f4da',
    collection: 'Engineering',
    content: {
      groups: {
        '': ['README.md', 'docs'],
        Services: ['docs/services'],
        'Rich text': ['docs/rich-text'],
        Packages: ['packages/*', 'bench/README.md'],
      },
    },
    authors: [3, 4],
  },
  {
    title: 'Decisions',
    emoji: '2696',
    collection: 'Engineering',
    content: { groups: { '': ['docs/adr'] } },
    authors: [3, 4, 5],
  },
  {
    title: 'Errors',
    emoji: '1f6a7',
    collection: 'Engineering',
    content: { groups: { '': ['docs/errors'] } },
    authors: [5],
  },
];
