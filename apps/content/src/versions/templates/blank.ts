import { defineTemplate } from './template.js';

export const blank = defineTemplate({
  id: 'blank',
  title: 'Blank',
  subtitle: 'One empty page',
  emoji: '1f4c4',
  features: ['One page without a text'],
  contentRefs: {},
  entries: [{ page: 'welcome' }],
});
