import { dropInternal } from '../documents/drop-internal.js';
import { requireSpecification } from '../documents/upgrade.js';
import { outlineOf, type Outline, type OutlineModel, type OutlineOperation } from '../slices/outline.js';
import { parseText } from '../text/parse-text.js';
import { UnreadableSpecification } from '../text/unreadable.js';
import { members, type Members } from '../text/values.js';

/** An operation of a tag; `isWebhook`: one that the API calls, whose path is the name of the webhook. */
export interface TaggedOperation extends OutlineOperation {
  isWebhook?: true;
}

/** A tag with its operations, then its webhooks. */
export interface SpecificationTag {
  name: string;
  title: string;
  description: string;
  /** The name of the tag that this one stands below. */
  parent?: string;
  operations: TaggedOperation[];
}

/** What pages show of a specification. */
export interface Specification {
  title: string;
  tags: SpecificationTag[];
  models: OutlineModel[];
}

const most = { operations: 5_000, models: 2_000, growth: 10 };
/** The tags of operations and of webhooks that have none. */
const untagged = { operations: 'default', webhooks: 'webhooks' };

/**
 * Reads a specification that is a file: OpenAPI 3 or Swagger 2.0, as JSON or YAML. It may be less than one that is
 * compiled, since it is read whenever pages are made of it, and its webhooks are left out: no block shows those of a
 * file.
 * @throws UnreadableSpecification
 */
export function readSpecification(text: string): Specification {
  const root = requireSpecification(parseText(text, most.growth).value, text);
  const plain = JSON.parse(JSON.stringify(root)) as Members;
  dropInternal(plain);
  const { operations, models, ...rest } = outlineOf({ ...plain, webhooks: {} });
  if (operations.length > most.operations) throw new UnreadableSpecification('It has too many operations');
  if (models.length > most.models) throw new UnreadableSpecification('It has too many models');
  return specificationOf({ ...rest, operations, models });
}

/** Reads an outline that `compile` made. @throws UnreadableSpecification */
export function readOutline(text: string): Specification {
  const outline: unknown = JSON.parse(text);
  if (!Array.isArray(members(outline)['operations'])) throw new UnreadableSpecification('It is no outline');
  return specificationOf(outline as Outline);
}

/** Tags in the order in which they are declared, then in that of their first operations and webhooks. */
function specificationOf({ info, tags: declared, operations, webhooks, models }: Outline): Specification {
  const tags = new Map<string, SpecificationTag>();
  for (const { name, title, pageTitle, description, parent } of declared)
    tags.set(name, {
      name,
      title: pageTitle ?? title,
      description,
      ...(parent !== undefined && { parent }),
      operations: [],
    });
  const add = (operation: TaggedOperation, otherwise: string): void => {
    // An operation is shown once, whatever number of tags it has.
    const [given = ''] = operation.tags;
    const name = given === '' ? otherwise : given;
    const tag = tags.get(name) ?? { name, title: name, description: '', operations: [] };
    tags.set(name, tag);
    tag.operations.push(operation);
  };
  for (const operation of operations) add(operation, untagged.operations);
  for (const webhook of webhooks) add({ ...webhook, isWebhook: true }, untagged.webhooks);
  return { title: info.title, tags: [...tags.values()], models };
}
