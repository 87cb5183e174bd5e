import type { ContentChange } from '@scriptorium/contracts';
import { idOf, textAt } from '../official.js';
import type { World } from '../world.js';

/** What is in the content of a space that is driven. */
export interface Written {
  space: string;
  page: string;
  path: string;
  file: string;
  reusable: string;
  revision: string;
  document: string;
}

const spec = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1', description: 'What shops do.' },
  tags: [{ name: 'orders' }],
  paths: {
    '/orders': {
      get: {
        tags: ['orders'],
        operationId: 'listOrders',
        summary: 'List orders',
        responses: { 200: { description: 'OK' } },
      },
    },
  },
  components: { schemas: { Order: { type: 'object', properties: { id: { type: 'string' } } } } },
};

const guide = `---
description: How it is used
icon: book
---

# Use it

Read [the setup](./setup.md), **bold**, *italic*, \`code\`, ~~old~~ and [elsewhere](https://example.org/).

{% hint style="info" %}
Mind the gap.
{% endhint %}

{% tabs %}
{% tab title="One" %}
First
{% endtab %}
{% endtabs %}

<details>

<summary>More</summary>

Hidden text

</details>

> A quotation

1. One
2. Two

* [x] Done
* [ ] Open

| Name | Value |
| ---- | ----- |
| a    | 1     |

\`\`\`js
const answer = 42;
\`\`\`

***

$$x^2$$

![A picture](/files/picture)

{% include "/reusable/shared" %}

A note[^1] and <a href="https://example.org/" class="button primary">a button</a>.

[^1]: What the note says.
`;

function changes(): ContentChange[] {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  return [
    {
      operation: 'insert_files',
      files: [
        { name: 'picture.png', ref: 'picture', contentType: 'image/png', base64: picture },
        { name: 'shop.json', ref: 'spec', contentType: 'application/json', base64: encoded(JSON.stringify(spec)) },
      ],
    },
    { operation: 'insert_reusable_content', ref: 'shared', title: 'Shared', document: { markdown: 'Said twice' } },
    { operation: 'insert_group', ref: 'group', title: 'Guides' },
    { operation: 'insert_page', ref: 'use', into: 'group', document: { markdown: guide } },
    {
      operation: 'insert_page',
      ref: 'setup',
      title: 'Setup',
      slug: 'setup',
      into: 'group',
      document: { markdown: 'Install it.' },
    },
    { operation: 'insert_link', title: 'Elsewhere', target: { kind: 'url', url: 'https://example.org/' } },
    {
      operation: 'insert_computed',
      ref: 'api',
      title: 'API',
      computed: {
        type: 'builtin:openapi',
        props: { models: true, downloadLink: true },
        dependencies: { spec: { ref: { kind: 'file', file: 'spec' } } },
      },
    },
    { operation: 'set_variables', variables: { product: 'Shop' } },
  ];
}

/** Writes a space by the product's own client, and reads it in every way that the other one has. */
export async function driveContent(world: World): Promise<Written> {
  const { call, own, organization, page: address } = world;
  const { id: space } = await own.createSpace({
    params: { organizationId: organization },
    body: { title: 'Handbook', editMode: 'live', empty: true },
  });
  const { refs = {} } = await own.changeSpaceContent({ params: { spaceId: space }, body: { changes: changes() } });
  const { use: page = '', picture: file = '', shared: reusable = '' } = refs;
  await call('getSpaceById', space);
  const current = await call('getCurrentRevision', space);
  await call('getCurrentRevision', space, { metadata: false, computed: false });
  await call('listPages', space);
  await call('listPages', space, { computed: false });
  await call('listFiles', space, { limit: 1 });
  await call('getFileById', space, file);
  await call('listSpaceFileBacklinks', space, file, {});
  const shown = await call('getPageById', space, page);
  const [path, document] = [textAt(shown, 'path'), textAt(shown, 'documentId')];
  await call('getPageById', space, page, { format: 'document' });
  await call('getPageById', space, page, { format: 'markdown', evaluated: true });
  await call('getPageById', space, refs['group'] ?? '');
  await call('getPageById', space, refs['api'] ?? '');
  await call('listPageLinksInSpace', space, page, {});
  await call('listSpacePageBacklinks', space, refs['setup'] ?? '', {});
  await call('listSpacePageMetaLinks', space, page);
  await call('getPageByPath', space, encodeURIComponent(path));
  await call('getReusableContentById', space, reusable);
  await call('getDocumentById', space, document);
  await call('listSpaceLinks', space, { limit: 100 });
  await call('searchSpaceContent', space, { query: 'install' });
  await call('searchOrganizationContent', organization, { query: 'install' });
  await call('getEmbedByUrl', { url: address });
  await call('getEmbedByUrlInSpace', space, { url: address });
  await call('getContentByUrl', { url: textAt(shown, 'urls.app') });
  await computed(world, space, refs['spec'] ?? '');
  const revision = idOf(current);
  const written = { space, page, path, file, reusable, revision, document };
  await revisions(world, written);
  await call('generateStorageUploadURL', organization, {
    file: { name: 'import.zip', type: 'application/zip', size: 100 },
    kind: 'import_file',
  });
  const empty = idOf(
    await call('createSpace', organization, { title: 'From a template', editMode: 'live', empty: true }),
  );
  const templates = await own.listTemplates();
  await call('applyTemplateToSpace', empty, {
    id: textAt(templates, 'items.0.id'),
    params: { contentRefs: { status: { kind: 'url', url: 'https://status.example.org/' } } },
  });
  return written;
}

async function computed({ call }: World, space: string, file: string): Promise<void> {
  const dependencies = { spec: { ref: { kind: 'file', file } } };
  const source = { type: 'builtin:openapi', props: { models: true }, dependencies };
  await call('getComputedRevision', space, { source, seed: 'seed' });
  await call('getComputedDocument', space, { source: { ...source, props: { doc: 'models' } }, seed: 'seed' });
}

async function revisions({ call }: World, written: Written): Promise<void> {
  const { space, page, path, file, reusable, revision } = written;
  await call('getRevisionById', space, revision);
  await call('getRevisionSemanticChanges', space, revision, { limit: 10 });
  await call('listPagesInRevisionById', space, revision);
  await call('listFilesInRevisionById', space, revision, { limit: 10 });
  await call('getFileInRevisionById', space, revision, file);
  await call('getPageInRevisionById', space, revision, page);
  await call('getPageDocumentInRevisionById', space, revision, page);
  await call('getPageInRevisionByPath', space, revision, encodeURIComponent(path));
  await call('getReusableContentInRevisionById', space, revision, reusable);
}
