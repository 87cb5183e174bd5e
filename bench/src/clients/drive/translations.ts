import { waitFor } from '../../processes/wait-for.js';
import { textAt } from '../official.js';
import type { World } from '../world.js';

const instructions = (text: string) => ({
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      data: {},
      isVoid: false,
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    },
  ],
});

/** Translations of an organization and its glossary: created, read, changed, run, and deleted. */
export async function driveTranslations({ call, own, organization }: World): Promise<void> {
  const organizationId = organization;
  const space = await own.createSpace({ params: { organizationId }, body: { title: 'To translate', language: 'en' } });
  const source = { space: space.id, language: 'en' };
  const body = { source, language: 'de', instructions: instructions('Be brief.') };
  const id = textAt(await call('createTranslation', organization, body), 'id');
  const isCompleted = async () =>
    (await own.getTranslation({ params: { organizationId, translationId: id } })).status === 'completed';
  await waitFor('the first run', isCompleted, 30_000, 200);
  await call('listTranslations', organization, { limit: 10 });
  await call('getTranslation', organization, id);
  await call('updateTranslation', organization, id, { instructions: instructions('Be polite.') });
  await call('runTranslation', organization, id);
  await call('updateGlossaryEntries', organization, {
    operations: [{ type: 'insert', translations: { en: 'space', de: 'Bereich' } }],
  });
  const entries = await own.listGlossaryEntries({ params: { organizationId } });
  const entry = entries.items[0]?.id ?? '';
  await call('listGlossaryEntries', organization, { limit: 10 });
  await call('getGlossaryEntry', organization, entry);
  await call('updateGlossaryEntries', organization, {
    operations: [
      { type: 'update', id: entry, translations: { en: 'space', de: 'Raum' } },
      { type: 'delete', id: 'none' },
    ],
  });
  await waitFor('the last run', isCompleted, 30_000, 200);
  await call('deleteTranslation', organization, id);
}
