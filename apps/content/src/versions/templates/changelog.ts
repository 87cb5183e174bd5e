import { defineTemplate } from './template.js';

export const changelog = defineTemplate({
  id: 'changelog',
  title: 'Changelog',
  subtitle: 'What is new, what is coming, and how you release',
  emoji: '1f4e3',
  features: ['Entries by date', 'Plans and changes that need something from readers', 'Archive of earlier years'],
  contentRefs: {},
  entries: [{ page: 'changelog' }, { page: 'upcoming' }, { page: 'how-we-release' }, { page: 'archive' }],
});
