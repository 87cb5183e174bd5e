import type { Client } from '@scriptorium/contracts';

/** What people ask the support of the demo, by subject: each is said in several ways. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  'PDF export': [
    'The PDF export fails with an error',
    'How do I export a space as PDF?',
    'The exported PDF has no pictures',
    'PDF export takes forever for our largest space',
  ],
  'Invitation links': [
    'My invitation link has expired',
    'The invitation link says it was already used',
    'Can you send the invitation link again?',
    'My colleague never got an invitation link',
  ],
  'Custom domain': [
    'How do I use a custom domain for our docs?',
    'Our custom domain shows a certificate error',
    'Which DNS record does a custom domain need?',
    'The custom domain still shows the old site',
  ],
  'Search results': [
    'Search does not find our newest pages',
    'The search results show pages that were deleted',
    'Can search results be limited to one space?',
    'Search results are in the wrong order',
  ],
  'Single sign-on': [
    'Single sign-on sends me back to the sign-in page',
    'How do we enforce single sign-on for all members?',
    'Single sign-on with our identity provider fails',
    'A new member cannot use single sign-on',
  ],
  'Merge conflicts': [
    'My change request has conflicts and cannot be merged',
    'How do I resolve conflicts of a change request?',
    'Conflicts of a change request appear again after I resolved them',
    'Who may resolve conflicts in a change request?',
  ],
  Invoices: [
    'Where do I find the invoice of last month?',
    'The invoice has the wrong company address',
    'We need our tax number on the invoice',
    'Please send the invoice to our accounting',
  ],
  'API tokens': [
    'How do I create an API token for our pipeline?',
    'My API token stopped working yesterday',
    'Can an API token be limited to one organization?',
    'The API token is refused with status 401',
  ],
  'Code blocks': [
    'Code blocks lose their indentation when I paste',
    'Can code blocks have line numbers?',
    'Syntax colours are missing in code blocks',
    'How do I put code blocks in tabs?',
  ],
  'Import from Markdown': [
    'The Markdown import loses links between pages',
    'How do I import a folder of Markdown files?',
    'Pictures are missing after a Markdown import',
    'The Markdown import stops with an error',
  ],
};

const openings = ['Hello!', 'Hi,', 'Good morning,', 'Hello support,', 'Hi there,'];
const answers = ['We look at it.', 'Which space is it?', 'Could you send us the address of the page?'];

const [count, dayMs, days] = [300, 86_400_000, 90];

/** Sends 300 support conversations of the last three months: they are clustered in a moment. */
export async function ingestConversations(client: Client, organizationId: string, now: number): Promise<void> {
  await client.ingestConversation({ params: { organizationId }, body: conversationsUntil(now) });
}

/** The conversations: always the same texts. Some subjects are asked about more often than others. */
export function conversationsUntil(now: number) {
  const all = Object.entries(subjects);
  return Array.from({ length: count }, (_, number) => {
    // Squared, so that the first subjects come more often.
    const share = (((number * 7) % 100) / 100) ** 2;
    const [subject = '', texts = []] = all[Math.floor(share * all.length)] ?? [];
    const text = texts[number % texts.length] ?? '';
    const createdAt = new Date(now - ((number * 11) % days) * dayMs - number * 60_000).toISOString();
    return {
      id: `demo-${number + 1}`,
      subject,
      parts: [
        {
          type: 'message' as const,
          role: 'user' as const,
          body: `${openings[number % openings.length] ?? ''}\n${text}`,
        },
        { type: 'message' as const, role: 'team-member' as const, body: answers[number % answers.length] ?? '' },
      ],
      metadata: { createdAt, attributes: { plan: number % 3 === 0 ? 'team' : 'free' } },
    };
  });
}
