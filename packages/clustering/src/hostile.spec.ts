import { describe, expect, it } from '@jest/globals';
import { clusterIssues } from './clusters/cluster-issues.js';
import { createCentroids } from './clusters/centroids.js';
import { issuesOf, type ConversationText } from './issues/issues-of.js';
import { maskPersonal } from './masking/mask-personal.js';
import { seedTable } from './weights/seed-table.js';
import { vectorOf, weightsOf } from './weights/weights.js';

const weights = weightsOf(seedTable());
const length = 65_536;
const filled = (unit: string): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const units = [
  'a',
  ' ',
  '<',
  '>',
  '1',
  '1 ',
  '+1',
  '1-',
  '.',
  '@',
  'a@',
  'a.',
  'a@a',
  ':',
  'a:',
  '::',
  '-',
  'a-',
  '-----BEGIN A-----',
  'http://',
  'http://a@',
  'http://a/?',
  'AB12',
  'AB12 ',
  'password ',
  'password: ',
  'token=',
  'pin is ',
  'account ',
  '[',
  '](',
  '[a](',
  '**',
  '`',
  '\n',
  '\n> ',
  '```\n',
  'at a\n',
  'On a wrote:',
  'Hi ',
  'Hi there, ',
  'regards\n',
  '\u0000',
  '\ud83d',
  '😀',
  'é',
  'ß',
  '中',
  'ก',
  'ا',
  '1:',
  'f:',
  'eyJaaaaaaaa.',
  'sk_',
  'Bearer ',
  '0.',
  '1.1.1.1',
  '1111 ',
  '(1)',
  '<b>',
  '</',
  '. ',
  '? ',
  'ab12-',
  'Aa1',
];
// Much slower machines share the processor with others, so its time counts and not that of the clock.
const mostCpuMs = 1_000;

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('hostile texts', () => {
  it.each(units)('of 64 KiB of %j cost less than a second', (unit) => {
    const text = filled(unit);
    expect(cpuMsOf(() => maskPersonal(text))).toBeLessThan(mostCpuMs);
    const conversation: ConversationText = { subject: text, parts: [{ role: 'user', text }] };
    expect(cpuMsOf(() => issuesOf(conversation, { language: 'en', weights }))).toBeLessThan(mostCpuMs);
  });

  it('of 200 parts of 64 KiB cost less than a second', () => {
    const text = filled('The export of a space fails again, and ann@example.org got no mail about it. ');
    const parts = Array.from({ length: 200 }, () => ({ role: 'user' as const, text }));
    expect(cpuMsOf(() => issuesOf({ parts }, { language: 'en', weights }))).toBeLessThan(mostCpuMs);
  });

  it('that are the same 10,000 times make one cluster', () => {
    const [issue] = issuesOf({ parts: [{ role: 'user', text: 'The export fails' }] }, { language: 'en', weights });
    if (issue === undefined) throw new Error('There is no issue');
    const vector = vectorOf(issue.terms, weights);
    const issues = Array.from({ length: 10_000 }, (_, index) => ({ issue: String(index), vector }));
    const centroids = createCentroids('terms');
    const changes = clusterIssues(centroids, issues, { next: 1 });
    expect([centroids.size, changes.length]).toEqual([1, 51]);
  });
});
