import * as z from 'zod';

/** What a script has answered is no ContentKit. `path`: where, as in `element.children[2].label`. */
export class MalformedElement extends Error {
  override readonly name = 'MalformedElement';

  constructor(readonly path: string) {
    super(`The answer of the script is malformed: ${path}`);
  }
}

/** What stands in a field: elements of these types, where anything else is left out. */
type Nested = ReadonlySet<string>;

interface Kind {
  schema: z.ZodObject;
  /** Fields with a list of elements, or a text. */
  lists: Readonly<Record<string, Nested>>;
  /** Fields with one element, or what `schema` allows there. */
  single: Readonly<Record<string, Nested>>;
  /** A field without which there is no element. */
  needs?: string;
}

const text = z.string();
const binding = z.object({ $state: text });
const action = z.looseObject({ action: text });
const style = (...names: [string, ...string[]]) => z.enum(names).optional().catch(undefined);
const address = z.union([
  text,
  z.object({ host: text, pathname: text, query: z.record(text, z.union([text, binding])).optional() }),
]);
const confirm = z.object({ title: text, text, confirm: text, style: style('primary', 'danger') }).optional();
const disabled = z.boolean().optional();
const label = text.optional();
/** A field whose elements are looked at one by one. */
const nested = z.unknown().optional();
const icon = z.union([text, z.looseObject({ type: z.literal('image') })]).optional();
const number = z.number().optional();

const inline = new Set(['text', 'image', 'link']);
const button = new Set(['button']);
const descendants = new Set([
  ...['button', 'textinput', 'hstack', 'vstack', 'box', 'divider', 'webframe', 'codeblock', 'markdown', 'card'],
  ...['image', 'input', 'select', 'switch', 'checkbox', 'radio', 'text', 'hint', 'link', 'step'],
]);
const inputs = new Set(['textinput', 'select', 'switch', 'radio', 'checkbox', 'button', 'codeblock']);
const roots = new Set(['block', 'modal', 'configuration']);

const none = {} as const;
const kind = (shape: z.ZodRawShape, more: Partial<Omit<Kind, 'schema'>> = none): Kind => ({
  schema: z.object({ type: text, ...shape }),
  lists: {},
  single: {},
  ...more,
});
const parent = (shape: z.ZodRawShape = none): Kind =>
  kind({ ...shape, children: nested }, { lists: { children: descendants } });
const control = z.object({ icon: label, label: text, onPress: action, confirm });
const option = z.object({ id: text, label: text, icon });
const choice = z.union([text, number.unwrap()]);

/** All elements by type. Fields that are not named here are left out. */
const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    block: parent({ controls: z.array(z.union([control, z.array(control)])).optional() }),
    modal: kind(
      {
        title: label,
        subtitle: nested,
        size: style('medium', 'xlarge', 'fullscreen'),
        returnValue: z.record(text, z.unknown()).optional(),
        children: nested,
        submit: nested,
      },
      { lists: { children: descendants, subtitle: inline }, single: { submit: button } },
    ),
    configuration: kind({ children: nested }, { lists: { children: new Set([...descendants, 'stepper']) } }),
    stepper: kind(
      { activeStep: text, onStepChange: action, onComplete: action, children: nested },
      { lists: { children: new Set(['step']) } },
    ),
    step: parent({ id: text, title: label, next: disabled }),
    button: kind({
      style: style('primary', 'secondary', 'danger'),
      onPress: action,
      icon: label,
      trailingIcon: label,
      label,
      tooltip: label,
      confirm,
      disabled,
    }),
    textinput: kind({
      disabled,
      state: text,
      initialValue: label,
      placeholder: label,
      multiline: disabled,
      inputType: style('text', 'password', 'email'),
    }),
    hstack: parent({ align: style('start', 'center', 'end') }),
    vstack: parent({ align: style('start', 'center', 'end') }),
    box: parent({ grow: number }),
    divider: kind({ size: style('small', 'medium', 'large') }),
    webframe: kind(
      {
        aspectRatio: number,
        source: z.object({ url: text }),
        buttons: nested,
        data: z.record(text, z.union([text, binding])).optional(),
      },
      { lists: { buttons: button } },
    ),
    codeblock: kind(
      {
        content: z.union([text, binding]),
        syntax: label,
        lineNumbers: z.union([z.boolean(), z.number()]).optional(),
        buttons: nested,
        state: label,
        onContentChange: action.optional(),
        header: nested,
        footer: nested,
      },
      { lists: { buttons: button, header: descendants, footer: descendants } },
    ),
    markdown: kind({ content: z.union([text, binding]) }),
    card: kind(
      { title: label, hint: nested, icon, onPress: action.optional(), children: nested, buttons: nested },
      { lists: { hint: inline, children: descendants, buttons: button } },
    ),
    image: kind({ source: z.object({ url: text }), aspectRatio: number }),
    input: kind(
      { label: text, hint: nested, element: nested },
      { single: { element: inputs, hint: inline }, needs: 'element' },
    ),
    select: kind({
      disabled,
      state: text,
      initialValue: z.union([text, z.array(text)]).optional(),
      onValueChange: action.optional(),
      placeholder: label,
      multiple: disabled,
      acceptInput: disabled,
      options: z.union([z.array(option), z.object({ source: z.literal('openapi') }), z.object({ url: address })]),
    }),
    switch: kind({ disabled, state: text, initialValue: disabled, onValueChange: action.optional(), confirm }),
    checkbox: kind({ disabled, state: text, value: choice, confirm }),
    radio: kind({ disabled, state: text, value: choice, confirm }),
    text: kind(
      { style: style('bold', 'italic', 'code', 'strikethrough'), children: nested },
      { lists: { children: new Set(['text', 'link']) } },
    ),
    link: kind({ target: z.object({ url: address }), children: nested }, { lists: { children: new Set<string>() } }),
    hint: kind({ children: nested }, { lists: { children: inline } }),
  }),
);

/** Elements in elements, at most. */
const deepest = 64;

/**
 * A root element as far as it is known: elements of other types, and fields that nothing names, are left out.
 * @throws MalformedElement for what has no known root, or an element without what it needs
 */
export function knownElement(value: unknown, path = 'element'): z.output<z.ZodRecord> {
  const element = elementIn(value, path, { among: roots, depth: 0 });
  if (element === undefined) throw new MalformedElement(`${path}.type`);
  return element;
}

interface At {
  among: Nested;
  depth: number;
}

function elementIn(value: unknown, path: string, { among, depth }: At): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string')
    return undefined;
  const found = among.has(value.type) ? kinds.get(value.type) : undefined;
  if (found === undefined) return undefined;
  if (depth > deepest) throw new MalformedElement(path);
  const parsed = found.schema.safeParse(value);
  if (!parsed.success) throw new MalformedElement([path, ...(parsed.error.issues[0]?.path ?? [])].join('.'));
  const element: Record<string, unknown> = { ...parsed.data };
  for (const [field, wanted] of Object.entries(found.lists))
    set(element, field, listIn(element[field], `${path}.${field}`, { among: wanted, depth: depth + 1 }));
  for (const [field, wanted] of Object.entries(found.single))
    set(element, field, oneIn(element[field], `${path}.${field}`, { among: wanted, depth: depth + 1 }));
  return found.needs !== undefined && element[found.needs] === undefined ? undefined : element;
}

function set(element: Record<string, unknown>, field: string, value: unknown): void {
  if (value === undefined) delete element[field];
  else element[field] = value;
}

/** A text, or a list of texts and elements; what is neither is left out, as JSX has it for conditions. */
function listIn(value: unknown, path: string, at: At): unknown {
  if (value === undefined || typeof value === 'string') return value;
  const all: unknown[] = Array.isArray(value) ? (value as unknown[]).flat() : [value];
  return all.flatMap((one, i) => oneIn(one, `${path}.${i}`, at) ?? []);
}

function oneIn(value: unknown, path: string, at: At): unknown {
  return typeof value === 'string' ? value : elementIn(value, path, at);
}
