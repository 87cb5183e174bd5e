import { AppError, limits } from '@scriptorium/contracts';

/** Why a request is refused, in the words of RFC 7644, section 3.12. */
export type SCIMType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** The refusal of a request by SCIM. `scimTypeOf` reads the type again. */
export function refusal(scimType: SCIMType, message: string): AppError {
  return new AppError(scimType === 'uniqueness' ? 'already_exists' : 'invalid_request', [], {
    message,
    cause: { scimType },
  });
}

/** The type of a refusal; undefined where SCIM has none for it. */
export function scimTypeOf({ reason, cause }: AppError): SCIMType | undefined {
  if (typeof cause === 'object' && cause !== null && 'scimType' in cause) return cause.scimType as SCIMType;
  if (reason === 'already_exists') return 'uniqueness';
  return reason === 'invalid_request' ? 'invalidValue' : undefined;
}

/** What a refusal says to the provider, which does not know the names of settings and of fields of the API. */
export function detailOf({ reason, details, message }: AppError): string {
  const [first] = details;
  if (reason !== 'limit_reached' || first === undefined || !Object.hasOwn(limits, first.path)) return message;
  return `${first.message} ${limits[first.path as keyof typeof limits].of}`;
}
