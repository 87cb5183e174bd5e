import { operationList, type Operation } from '@scriptorium/contracts';
import type { Place, Recorder } from './recorder.js';
import { placesOf } from './sweep.js';

/** What is asked for an example, besides what the clients ask. */
interface Further {
  id: string;
  /** `latest`: the newest value of a parameter that requests of the same person had. */
  body?: (latest: (name: string) => string | undefined) => unknown;
  query?: string;
  params?: Readonly<Record<string, string>>;
  /** The parameter of later requests that the id in the answer is. */
  names?: string;
}

const timeoutMs = 60_000;
const triesOfOperation = 40;

/** Read models that are rebuilt quickly. */
const projections = {
  Identity: 'agent_instructions_v2',
  Content: 'collection_v2',
  Collaboration: 'change_request_contributor_v2',
  Sites: 'publishing_auth_v2',
  Integrations: 'dev_mode_v1',
  Conversations: 'cluster_request_v1',
};

/** In this order. */
const all: readonly Further[] = [
  { id: 'createUserToken', body: () => ({ label: 'CI', expiresAt: '2099-01-01T00:00:00.000Z' }) },
  { id: 'createOrganizationSCIMToken', body: () => ({ label: 'Okta' }) },
  { id: 'listSSOLoginsForEmail', query: '?email=ann@example.org' },
  { id: 'sendSignInLink', body: () => ({ email: 'ann@example.org' }) },
  { id: 'updateNotificationSettings', body: () => ({ inbox: { comment_replied: false } }) },
  {
    id: 'startImportRun',
    body: (latest) => ({
      source: { type: 'url', url: 'https://docs.example.com/docs.zip' },
      target: { space: latest('spaceId') },
    }),
    names: 'importId',
  },
  { id: 'getImportRun' },
  { id: 'cancelImportRun' },
  { id: 'rollbackRevision' },
  { id: 'updateConversationsIssuesCluster', body: () => ({ label: 'Cannot sign in' }) },
  { id: 'createChangeRequestForIssuesCluster', body: (latest) => ({ space: latest('spaceId') }) },
  { id: 'moveIssuesToConversationsCluster', body: (latest) => ({ issues: [latest('issueId')] }) },
  { id: 'getSiteInsights', query: '?metric=views&from=2026-01-01&to=2026-01-31' },
  { id: 'rotateSiteVisitorKey' },
  { id: 'startContentVerification', names: 'verificationId' },
  { id: 'getContentVerification' },
  ...Object.entries(projections).map(([service, projection]) => ({
    id: `rebuild${service}Projection`,
    params: { projection },
  })),
];

/** Asks for what no client asks, where others were asked, until it is answered. Returns what was not. */
export async function askFurther(recorder: Recorder): Promise<string[]> {
  const places = [...recorder.places];
  const unanswered: string[] = [];
  for (const further of all) {
    const op = operationList.find(({ id }) => id === further.id);
    if (op === undefined) throw new Error(`There is no operation ${further.id}`);
    const problem = await askSomewhere(recorder.endpoint, op, further, places);
    if (problem !== undefined) unanswered.push(`${op.id}: ${problem}`);
  }
  return unanswered;
}

/** Adds a place for later requests when the answer has an id. Returns the last refusal if nothing was answered. */
async function askSomewhere(
  endpoint: string,
  op: Operation,
  further: Further,
  places: Place[],
): Promise<string | undefined> {
  let refusal = 'no place to ask at';
  const known = places.map((place) => ({ ...place, params: { ...place.params, ...further.params } }));
  for (const { params, authorization } of placesOf(op, known, triesOfOperation)) {
    const latest = (name: string) =>
      places.findLast((place) => place.authorization === authorization && name in place.params)?.params[name];
    const body = further.body?.(latest);
    const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
    const response = await fetch(`${endpoint}/v1${path}${further.query ?? ''}`, {
      method: op.method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      refusal = `${response.status} ${text}`;
      continue;
    }
    const { id } = JSON.parse(text) as { id?: string };
    if (further.names !== undefined && id !== undefined)
      places.push({ params: { ...params, [further.names]: id }, authorization });
    return undefined;
  }
  return refusal;
}
