import { operations } from '@scriptorium/contracts';
import { meantDifferences, unbuilt } from './meant.js';
import { placeOf, type ClientVersion, type ReferenceOperation } from './reference.js';

/** An answer as it came. */
export interface Seen {
  status: number;
  headers: Headers;
  text: string;
}

export interface Report {
  version: ClientVersion;
  /** Operations that the product has and that were driven, and how many there are. */
  driven: number;
  of: number;
  /** Answers that were compared. */
  answers: number;
  /** Differences that are meant. */
  meant: number;
  /** What must not be. */
  found: string[];
}

/** Only a token of the integration itself may do these. Its script gets one, and no user has one. */
const ofScripts: ReadonlySet<string> = new Set(['createIntegrationInstallationToken', 'queueIntegrationTask']);

/** Compares answers with the document of a client, and remembers which operations were driven. */
export class Observer {
  readonly #reference: ReadonlyMap<string, ReferenceOperation>;
  readonly #driven = new Set<string>();
  readonly #differences = new Map<string, string>();
  #answers = 0;

  constructor(
    readonly version: ClientVersion,
    reference: readonly ReferenceOperation[],
  ) {
    this.#reference = new Map(reference.map((operation) => [operation.id, operation]));
  }

  has(id: string): boolean {
    return this.#reference.has(id);
  }

  /** Compares a request and its answer with the document. Refusals are not compared: few are documented. */
  take(id: string, request: unknown, { status, headers, text }: Seen): void {
    const operation = this.#reference.get(id);
    if (operation === undefined) throw new Error(`${this.version} has no ${id}`);
    if (status >= 400) return;
    this.#driven.add(id);
    this.#answers += 1;
    const differ = (difference: string): void => void this.#differences.set(`${id} ${difference}`, text.slice(0, 600));
    if (request !== undefined)
      for (const refusal of operation.refusalsOf(request)) differ(`is asked with what it does not take: ${refusal}`);
    const ignored = headers.get('scriptorium-ignored');
    if (ignored !== null) differ(`ignores ${ignored}`);
    const expected = operation.answer(status);
    if (expected === 'none') return differ(`answers ${status}, which is not documented`);
    if (expected === 'empty') return;
    const body = parse(text);
    if (body === undefined) return differ(`answers ${status} without JSON`);
    if (status === 201 && headers.get('location') === null && hasAddress(body)) differ('answers 201 without Location');
    for (const difference of operation.differencesOf(status, body)) differ(difference);
  }

  report(): Report {
    const built = new Set(Object.values(operations).map(({ method, path }) => placeOf(method, path)));
    const all = [...this.#reference.values()];
    const ours = all.filter(({ id, place }) => built.has(place) && !ofScripts.has(id));
    const differences = [...this.#differences];
    const meant = differences.filter(([difference]) => meantDifferences.some(({ is }) => is.test(difference)));
    const isListed = ({ place }: ReferenceOperation): boolean => unbuilt.some(({ places }) => places.test(place));
    return {
      version: this.version,
      driven: ours.filter(({ id }) => this.#driven.has(id)).length,
      of: ours.length,
      answers: this.#answers,
      meant: meant.length,
      found: [
        ...ours.filter(({ id }) => !this.#driven.has(id)).map(({ id }) => `${id} was not driven`),
        ...all
          .filter((operation) => !built.has(operation.place) && !isListed(operation))
          .map(({ id, place }) => `${id} is neither built nor listed: ${place}`),
        ...differences
          .filter((one) => !meant.includes(one))
          .map(([difference, text]) => `${difference} in ${text}`)
          .toSorted(),
      ],
    };
  }

  /** Which of the differences that are meant were seen. */
  get seen(): readonly string[] {
    return [...this.#differences.keys()];
  }
}

function hasAddress(body: unknown): boolean {
  return (body as { urls?: { location?: unknown } } | null)?.urls?.location !== undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
