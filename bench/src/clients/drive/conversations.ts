import { textAt } from '../official.js';
import type { World } from '../world.js';

/** Support conversations. */
export async function driveConversations({ call, organization }: World): Promise<void> {
  const said = (id: string, body: string) => ({
    id,
    subject: 'Cards',
    metadata: { url: 'https://example.org/c/1', attributes: { plan: 'gold' }, createdAt: new Date().toISOString() },
    parts: [{ type: 'message', role: 'user', body }],
  });
  await call('ingestConversation', organization, said('c-1', 'Where is my card?'));
  await call('ingestConversation', organization, [said('c-2', 'My card is lost. What shall I do?')]);
  const listed = await call('listConversations', organization, { limit: 10 });
  await call('getConversationById', organization, textAt(listed, 'items.0.id'));
}
