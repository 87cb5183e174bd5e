import { defineTemplate } from './template.js';

export const helpCenter = defineTemplate({
  id: 'help-center',
  title: 'Help center',
  subtitle: 'Answers to the questions of your customers',
  emoji: '1f6df',
  features: ['Step-by-step articles', 'Account and billing', 'Tables of messages and what to do about them'],
  contentRefs: { contact: 'Where readers write to when no article helps' },
  entries: [
    { page: 'home' },
    {
      group: 'First steps',
      entries: [{ page: 'create-an-account' }, { page: 'find-your-way' }, { page: 'invite-others' }],
    },
    {
      group: 'Your account',
      entries: [
        { page: 'reset-your-password' },
        { page: 'change-your-email' },
        { page: 'two-step-sign-in' },
        { page: 'delete-your-account' },
      ],
    },
    {
      group: 'Billing',
      entries: [{ page: 'plans', pages: [{ page: 'cancel' }] }, { page: 'payment-methods' }, { page: 'invoices' }],
    },
    {
      group: 'Problems',
      entries: [
        { page: 'cannot-sign-in' },
        { page: 'emails-do-not-arrive' },
        { page: 'slow-or-broken' },
        { link: 'Write to us', icon: 'envelope', to: 'contact' },
      ],
    },
  ],
});
