import { setTimeout as delay } from 'node:timers/promises';
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
  const issue = await firstIssue({ call, organization });
  await call('getConversationIssueById', organization, issue);
  const clusters = await call('listConversationsIssuesClusters', organization, { limit: 10, order: 'asc' });
  await call('getConversationsIssuesCluster', organization, textAt(clusters, 'items.0.id'));
}

/** Issues are found in a moment. */
async function firstIssue({ call, organization }: Pick<World, 'call' | 'organization'>): Promise<string> {
  const until = performance.now() + 20_000;
  for (;;) {
    const listed = (await call('listConversationsIssues', organization, { limit: 10 })) as { items: unknown[] };
    if (listed.items.length > 0) return textAt(listed, 'items.0.issue.id');
    if (performance.now() > until) throw new Error('No issue was found');
    await delay(100);
  }
}
