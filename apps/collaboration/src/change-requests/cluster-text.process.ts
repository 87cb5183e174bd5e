import { AppError, describeIssuesCluster } from '@scriptorium/contracts';
import { ask, type Call } from '@scriptorium/platform';
import { readText } from '../texts/index.js';
import type { RequestText } from './request-text.process.js';

/** A cluster of issues, as its service describes it. */
interface DescribedCluster {
  id: string;
  label: string;
  issues: number;
  conversations: number;
  titles: readonly string[];
}

/** Issues that a description lists. */
const listed = 10;
const longestSubject = 256;

/** What a cluster of issues is about. @throws AppError `not_found`, and `unavailable` */
export async function describeCluster(
  call: Call,
  { organization, cluster }: { organization: string; cluster: string },
): Promise<DescribedCluster> {
  const found = await ask(call, describeIssuesCluster, { organization, cluster, titles: listed });
  if (found.cluster === null) throw new AppError('not_found');
  return found.cluster;
}

/** The subject and description of a change request for a cluster. */
export async function clusterText(
  call: Call,
  { label, issues, conversations, titles }: DescribedCluster,
): Promise<Pick<RequestText, 'subject' | 'description'>> {
  const count = `${counted(issues, 'issue')} of ${counted(conversations, 'conversation')}`;
  const more = issues > titles.length ? `, of which these are the newest` : '';
  const list = titles.map((title) => `- ${literal(title)}`).join('\n');
  const markdown = titles.length === 0 ? `${count}.` : `${count}${more}:\n\n${list}`;
  return {
    subject: label.slice(0, longestSubject),
    description: (await readText(call, { markdown }, 'description')).document,
  };
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Words of people as text: nothing of them is markup, a mention or a link. */
function literal(title: string): string {
  return title.replaceAll(/\s+/gu, ' ').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}
