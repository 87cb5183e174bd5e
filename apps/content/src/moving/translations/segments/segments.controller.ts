import { listTranslationSegments, updateTranslationSegment, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requireTranslation } from '../require-translation.queries.js';
import { Translator } from '../translator.process.js';
import { pinSegment } from './pin-segment.process.js';
import { listSegments } from './segments.queries.js';

/** The texts of translations, and corrections of them. */
@Controller()
export class SegmentsController {
  constructor(private readonly translator: Translator) {}

  @Handles(listTranslationSegments)
  async list({ params, query }: InputOf<typeof listTranslationSegments>, call: Call) {
    const { organizationId, translationId: translation } = params;
    await requireTranslation(call, organizationId, translation);
    const { pageId: page, problem, pinned, ...request } = query;
    return listSegments(call, { translation, page, problem, pinned }, { ...request, operation: call.operation });
  }

  @Handles(updateTranslationSegment)
  async update({ params, body }: InputOf<typeof updateTranslationSegment>, call: Call) {
    const { organizationId, translationId: translation, segmentId } = params;
    const { organization, from, language } = await requireTranslation(call, organizationId, translation);
    const isLanguage = this.translator.provider?.isLanguage !== false;
    return pinSegment(call, { translation, organization, from, language, isLanguage }, segmentId, body.target);
  }
}
