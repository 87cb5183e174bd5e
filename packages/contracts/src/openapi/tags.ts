import type { Operation } from '../kernel/operation.js';
import type { Json } from './components.js';

/** What the operations of each tag are about. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Installation: 'The installation itself: its version.',
  Organizations: 'Organizations, which own spaces, sites, integrations and members.',
  Members: 'Members of an organization, invitations, and links by which people join.',
  'Single sign-on': 'Identity providers of an organization, and sign-in at them.',
  Provisioning: 'Tokens with which identity providers create, change and remove members and teams by SCIM.',
  'Sign-in': 'Sessions of browsers, sign-in by mail and by password.',
  Teams: 'Teams of an organization, their members and owners.',
  Users: 'The caller, other people, and tokens.',
  Spaces: 'Spaces, which hold pages and files.',
  Permissions: 'Who may do what with spaces and collections.',
  Collections: 'Collections, which group spaces.',
  Content: 'Pages, documents, files and reusable contents of a space, as they are and as a change request has them.',
  Revisions: 'Earlier states of the content of a space.',
  Links: 'Links between pages, files and contents, and links that lead nowhere.',
  Search: 'Search for content.',
  Files: 'Uploads.',
  Templates: 'Templates for the content of new spaces.',
  'Import and export': 'Content from files and repositories, and content as files, such as PDF.',
  Operation: 'Work of those who operate an installation: accounts, read models, events, stored data.',
  OpenAPI: 'OpenAPI specifications of an organization, and their versions.',
  Translations: 'Translations of spaces into other languages, their texts and glossaries.',
  Comments: 'Comments on spaces and change requests, replies and reactions.',
  'Change requests': 'Proposed changes of a space, their reviews and merges.',
  Conversations: 'Conversations with readers, and the issues that are found in them.',
  Notifications: 'What people are notified of.',
  Sites: 'Sites, which publish spaces, and who may do what with them.',
  'Site spaces': 'The spaces of a site.',
  'Site sections': 'The sections of a site.',
  'Site section groups': 'Groups of the sections of a site.',
  'Share links': 'Links by which people without an account reach a site.',
  Publishing: 'How a site is published, and what its visitors see.',
  Insights: 'What visitors do on a site.',
  'Site redirects': 'Addresses of a site that lead to others.',
  Integrations: 'Integrations, which extend the product by scripts, and their publishing.',
  Webhooks: 'Addresses of your own systems, to which changes are sent, signed.',
  'Installations of integrations': 'Integrations in an organization, a space or a site: settings, tokens, deliveries.',
  Audit: 'Who has done what in an organization.',
};

/** The tags of a table of operations, in the order of their first use. */
export function tagsOf(table: readonly Operation[]): Json[] {
  return [...new Set(table.map(({ tag }) => tag))].map((name) => {
    const description = tagDescriptions[name];
    return { name, ...(description === undefined ? {} : { description }) };
  });
}
