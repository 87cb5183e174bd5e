import { AppError, callOperation, identityContract } from '@scriptorium/contracts';
import { waitFor } from '../processes/wait-for.js';
import type { Findings } from './findings.js';
import type { Memory } from './memory.js';
import type { World } from './world.js';
import { patientClient } from '../product/patient-client.js';

const tried = 10;
const acceptedMs = 20_000;

/** Has some of the invited turn up: an acknowledged invitation makes them members with the role it named. */
export async function acceptInvitations(world: World, memories: readonly Memory[], findings: Findings): Promise<void> {
  const client = patientClient({ endpoint: world.endpoint, token: world.token });
  const invited = memories.flatMap(({ organization, invited: sent }) =>
    sent.map((invitation) => ({ ...invitation, organization })),
  );
  for (const { email, role, organization } of invited.slice(0, tried)) {
    const user = await client.createUser({ body: { email, displayName: 'Invited', emailVerified: true } });
    const params = { organizationId: organization, userId: user.id };
    const member = await waitFor(
      'membership',
      () => client.getMemberInOrganizationById({ params }).catch(absent),
      acceptedMs,
      100,
    ).catch(() => undefined);
    if (member === undefined) findings.report(`the invitation of ${email} to ${organization} is lost`);
    else if (member.role !== role) findings.report(`${email} was invited as ${role} and became ${member.role}`);
    findings.count(member === undefined ? 'invitations lost' : 'invitations accepted');
  }
  if (findings.of('invitations lost') === 0) return;
  const { items } = await callOperation(world, identityContract.operator.consumers, { query: { limit: 1000 } });
  findings.report(`consumers then: ${JSON.stringify(items.filter(({ kind }) => kind === 'reactor'))}`);
}

function absent(error: unknown): undefined {
  if (error instanceof AppError && error.reason === 'not_found') return undefined;
  throw error;
}
