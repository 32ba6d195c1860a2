import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { InvalidInputError, type DomainError } from '../../errors/index.js';
import type { RequestContext } from '../../graphql/context/request-context.js';
import { unwrapDomainError } from '../../graphql/errors/public-error.js';
import type { Executor } from '../../graphql/execution/executor.js';
import { ReportedError } from '../../http-core/index.js';
import { toRestFieldErrors } from '../routes/case-mapping.js';

/**
 * Runs one operation in process and returns its data.
 *
 * @param fieldNames REST name by GraphQL name, for the fields whose REST name is not their GraphQL name in snake case
 * @throws DomainError the first error of the operation, even when there is partial data
 * @throws ReportedError when that error is unexpected, because the executor reports such errors itself
 */
export async function runOperation<Data, Variables>(
  executor: Executor,
  operation: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context: RequestContext,
  fieldNames: Readonly<Record<string, string>>,
): Promise<Data> {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the generated types are objects
  const request = { variables: variables as Readonly<Record<string, unknown>> };
  const { data, errors: [error] = [] } = await executor.executeDocument(operation, request, context);
  if (error !== undefined) throw toRestError(unwrapDomainError(error), fieldNames);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the operation selects this type
  return data as Data;
}

function toRestError(error: DomainError | null, fieldNames: Readonly<Record<string, string>>): Error {
  if (!(error instanceof InvalidInputError)) return error ?? new ReportedError();
  const fields = toRestFieldErrors(error.fields ?? [], fieldNames);
  return new InvalidInputError(fields, error.invalidReason, { message: error.message, cause: error });
}
