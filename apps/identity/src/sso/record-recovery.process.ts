import { step, type Call, type ServiceContext } from '@scriptorium/platform';
import { noteRecovery, sso } from './sso.js';

/** Records who changes what, named by the operation, without the single sign-on that is enforced. */
export async function recordRecovery(context: ServiceContext, call: Call, organization: string): Promise<void> {
  await context.store.handle(sso, organization, step(context.command(call, organization), 'recovery'), noteRecovery);
}
