import { defineTemplate } from './template.js';

export const productDocs = defineTemplate({
  id: 'product-docs',
  title: 'Product documentation',
  subtitle: 'From the first steps to the settings of administrators',
  emoji: '1f4d8',
  features: ['Quickstart', 'Guides', 'Administration and security', 'Reference and glossary', 'Troubleshooting'],
  contentRefs: { support: 'Where readers get help' },
  entries: [
    { page: 'welcome' },
    { group: 'Get started', entries: [{ page: 'quickstart' }, { page: 'installation' }, { page: 'core-concepts' }] },
    {
      group: 'Guides',
      entries: [
        { page: 'invite-your-team' },
        { page: 'organize-projects', pages: [{ page: 'automate-tasks' }] },
        { page: 'import-data' },
        { page: 'export-data' },
      ],
    },
    {
      group: 'Administration',
      entries: [
        { page: 'roles-and-permissions' },
        { page: 'security', pages: [{ page: 'single-sign-on' }, { page: 'audit-log' }] },
        { page: 'settings' },
      ],
    },
    {
      group: 'Reference',
      entries: [{ page: 'keyboard-shortcuts' }, { page: 'limits' }, { page: 'glossary' }],
    },
    {
      group: 'Help',
      entries: [{ page: 'troubleshooting' }, { link: 'Contact support', icon: 'life-ring', to: 'support' }],
    },
  ],
});
