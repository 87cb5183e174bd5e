/**
 * What the tarball of `npm run pack` has: these names, over a copy of the contracts. Its types stand in
 * `types/index.d.ts`; they are made from the OpenAPI document, since those of the schemas take compilers too long.
 */
export {
  AppError,
  createClient,
  followOperation,
  isReason,
  limitPresets,
  operations,
  patienceMs,
  patientFetch,
  reasonStatus,
  type Client,
  type ClientOptions,
  type ErrorDetail,
  type OperationId,
  type Reason,
} from '@scriptorium/contracts';
