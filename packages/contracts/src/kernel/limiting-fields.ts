/** The values of a field of a request that limit nothing; any other limits who sees or may do something. */
type Limits = (value: unknown) => boolean;

const unless =
  (...values: unknown[]): Limits =>
  (value) =>
    !values.includes(value);
/** Any value is a limit; `null` stands for no access. */
const always: Limits = () => true;

/**
 * The fields of the API with which a caller limits who sees or may do something, by their names, each with the values
 * that limit. Whoever sends one relies on it, so an operation that does not take it refuses the request instead of
 * doing without.
 */
export const limitingFields: ReadonlyMap<string, Limits> = new Map([
  ['active', unless(true, null)],
  ['agentsContext', unless('included', null)],
  ['condition', unless('', null)],
  ['defaultLevel', always],
  ['defaultRole', always],
  ['disabled', unless(false, null)],
  ['editMode', unless('live', null)],
  ['expiresAt', unless(null)],
  ['hidden', unless(false, null)],
  ['inviteLinks', unless(true, null)],
  ['level', always],
  ['noIndex', unless(false, null)],
  ['noRobotsIndex', unless(false, null)],
  ['password', unless(null)],
  ['role', always],
  ['scopes', unless(null)],
  ['sso', unless(false, null)],
  ['visibility', unless('public', null)],
]);

/** Whether a field of a request, by its name and value, limits who sees or may do something. */
export function limitsAccess(name: string, value: unknown): boolean {
  return value !== undefined && limitingFields.get(name)?.(value) === true;
}
