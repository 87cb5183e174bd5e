import { AppError, getContentVerification, startContentVerification, type InputOf } from '@scriptorium/contracts';
import type { RunView } from '@scriptorium/event-sourcing';
import { Controller, Handles, showRun, type Call } from '@scriptorium/platform';
import { Findings } from './findings.js';
import { verifyContent } from './verify-content.run.js';

/** Verifications of all content, for operators. */
@Controller()
export class VerificationsController {
  @Handles(startContentVerification)
  async start(_input: InputOf<typeof startContentVerification>, call: Call) {
    const store = call.store.in(null);
    return shown(await store.requestRun(verifyContent, { id: call.idFor('verification'), input: {} }), call.urls);
  }

  @Handles(getContentVerification)
  async get({ params }: InputOf<typeof getContentVerification>, { store, urls }: Call) {
    const run = await store.findRun(params.verificationId);
    if (run?.kind !== verifyContent.kind) throw new AppError('not_found');
    return shown(run, urls);
  }
}

function shown(run: RunView, urls: Call['urls']) {
  const found = Findings.safeParse(run.result);
  return {
    object: 'content-verification' as const,
    ...showRun(run),
    ...(found.success ? { result: { ...found.data, sound: isSound(found.data) } } : {}),
    urls: { location: `${urls.api}/operator/content/verifications/${run.id}` },
  };
}

function isSound({ missing, corrupt, missingFiles }: Findings): boolean {
  return missing + corrupt + missingFiles === 0;
}
