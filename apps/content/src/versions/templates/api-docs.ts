import { defineTemplate } from './template.js';

export const apiDocs = defineTemplate({
  id: 'api-docs',
  title: 'API documentation',
  subtitle: 'Everything that developers need to build on your API',
  emoji: '1f50c',
  features: [
    'Quickstart in several languages',
    'Errors, limits and versions',
    'Resources',
    'Reference',
    'Webhooks',
    'SDKs',
  ],
  contentRefs: { status: 'Where readers see whether the API is running' },
  specifications: { specification: 'The OpenAPI specification that the reference is made of' },
  entries: [
    { page: 'overview' },
    { group: 'Get started', entries: [{ page: 'quickstart' }, { page: 'authentication' }, { page: 'environments' }] },
    {
      group: 'Concepts',
      entries: [
        { page: 'requests' },
        { page: 'errors' },
        { page: 'pagination' },
        { page: 'rate-limits' },
        { page: 'idempotency' },
        { page: 'versioning' },
      ],
    },
    {
      group: 'Resources',
      entries: [
        { page: 'customers', pages: [{ page: 'create-customer' }, { page: 'list-customers' }] },
        { page: 'orders' },
        { computed: 'Reference', icon: 'book', from: 'specification', without: 'reference' },
      ],
    },
    { group: 'Webhooks', entries: [{ page: 'webhooks' }, { page: 'verify-webhooks' }, { page: 'events' }] },
    { group: 'Tools', entries: [{ page: 'sdks' }, { link: 'Status', icon: 'signal', to: 'status' }] },
  ],
});
