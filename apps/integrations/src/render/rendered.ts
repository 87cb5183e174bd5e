import { integrationBounds, type RenderOutput } from '@scriptorium/contracts';
import * as z from 'zod';
import { knownElement, MalformedElement } from './contentkit.js';

const Values = z.record(z.string(), z.unknown());
/** What a script answers. Older ones do not say that what they show is an element. */
const Answer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('element'), element: z.unknown(), state: Values, props: Values }),
  z.object({ type: z.literal('complete'), returnValue: Values.optional() }),
]);

/**
 * What a component has rendered, as far as it is known. Pure.
 * @throws MalformedElement that says where the answer is malformed
 */
export function renderedIn(body: Uint8Array): RenderOutput {
  if (body.length > integrationBounds.renderBytes)
    throw new MalformedElement(`more than ${integrationBounds.renderBytes} bytes`);
  const json = jsonIn(body);
  const typed = typeof json === 'object' && json !== null && !('type' in json) ? { type: 'element', ...json } : json;
  const answer = Answer.safeParse(typed);
  if (!answer.success) throw new MalformedElement(answer.error.issues[0]?.path.join('.') || 'the answer');
  if (answer.data.type === 'complete') return answer.data;
  return {
    ...answer.data,
    element: knownElement(answer.data.element) as Extract<RenderOutput, { type: 'element' }>['element'],
  };
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf8', { fatal: true }).decode(body));
  } catch {
    throw new MalformedElement('it is no JSON');
  }
}
