import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildSchema, GraphQLError, parse } from 'graphql';
import { ConflictError, InvalidInputError } from '../../../src/errors/index.js';
import type { RequestContext } from '../../../src/graphql/context/request-context.js';
import { Executor } from '../../../src/graphql/execution/executor.js';
import { ReportedError } from '../../../src/http-core/index.js';
import { runOperation } from '../../../src/rest/adapter/rest-plugin.js';

const LIMITS = { tokens: 100, depth: 10, aliases: 10, directives: 10, rootFields: 10, cost: 100 };
const FIELD_NAMES = { groupId: 'group_id', after: 'cursor' };

let reported: unknown[];

beforeEach(() => {
  reported = [];
});

/** Runs an operation whose only field calls `resolve`. */
async function run(resolve: () => unknown): Promise<unknown> {
  const schema = buildSchema('type Query { field: Int }');
  const field = schema.getQueryType()?.getFields().field;
  if (field !== undefined) field.resolve = resolve;
  const executor = new Executor(schema, { introspection: true, limits: LIMITS });
  const context = {
    requestId: 'request-1',
    actor: { kind: 'user' },
    client: { address: '192.0.2.1', userAgent: null },
    emitSecurityEvent: () => undefined,
    reportUnexpectedError: (error: unknown) => reported.push(error),
  } as unknown as RequestContext;
  return runOperation(executor, parse('{ field }'), {}, context, FIELD_NAMES);
}

function failWith(error: unknown): () => never {
  return () => {
    throw error;
  };
}

describe('runOperation', () => {
  it('returns the data', async () => {
    expect(await run(() => 3)).toEqual({ field: 3 });
  });

  it('throws the domain error of the operation itself', async () => {
    const conflict = new ConflictError('USERNAME_TAKEN', { retryAfterSeconds: 2 });
    await expect(run(failWith(conflict))).rejects.toBe(conflict);
    await expect(run(failWith(new GraphQLError('', { originalError: conflict })))).rejects.toBe(conflict);
    expect(reported).toEqual([]);
  });

  it('converts the field names of invalid input to REST', async () => {
    const fields = ['groupId', 'after', 'invitees.0.displayName', 'Idempotency-Key'].map((field) => ({
      field,
      message: 'is wrong',
    }));
    const invalid = new InvalidInputError(fields, 'PASSWORD_TOO_SHORT');
    const error: unknown = await run(failWith(invalid)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({
      reason: 'PASSWORD_TOO_SHORT',
      message: invalid.message,
      fields: [
        { field: 'group_id', message: 'is wrong' },
        { field: 'cursor', message: 'is wrong' },
        { field: 'invitees.0.display_name', message: 'is wrong' },
        { field: 'Idempotency-Key', message: 'is wrong' },
      ],
    });
  });

  it('throws ReportedError when the error is unexpected, because the executor has reported it', async () => {
    const unexpected = new TypeError('canary');
    const error: unknown = await run(failWith(unexpected)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ReportedError);
    expect(String(error)).not.toContain('canary');
    expect(reported).toEqual([unexpected]);
  });
});
