import { expect } from '@jest/globals';
import type { TestResponse } from './test-client.js';

export interface ExpectedProblem {
  readonly status: number;
  readonly code: string;
  /** The same as the code by default. */
  readonly reason?: string;
  /** The path of the request. */
  readonly instance: string;
  /** Every faulty field, in any order; absent when there is none. */
  readonly fields?: readonly string[];
  /** The members of RFC 6749, section 5.2, on the token paths. */
  readonly oauthError?: string;
  readonly contentType?: string | undefined;
}

/** Asserts that a response is a problem as the contract defines it. */
export function expectProblem(response: TestResponse, expected: ExpectedProblem): void {
  const {
    status,
    code,
    reason = code,
    instance,
    fields,
    oauthError,
    contentType = 'application/problem+json; charset=utf-8',
  } = expected;
  expect({ status: response.status, body: response.body }).toEqual({
    status,
    body: {
      type: `/problems#${reason}`,
      title: expect.stringMatching(/^[A-Z][\w ]+$/),
      status,
      detail: expect.stringMatching(/^[A-Z].*\.$/),
      instance,
      code,
      reason,
      request_id: response.headers.get('x-request-id'),
      ...(fields === undefined ? {} : { errors: expect.any(Array) }),
      ...(oauthError === undefined ? {} : { error: oauthError, error_description: expect.stringMatching(/\.$/) }),
    },
  });
  if (fields !== undefined) expect(fieldsOf(response).toSorted()).toEqual(fields.toSorted());
  expectProblemHeaders(response, contentType);
}

function fieldsOf({ body }: TestResponse): string[] {
  const { errors = [] } = body as { errors?: { field: string; message: string }[] };
  for (const { message } of errors) expect(message).not.toBe('');
  return errors.map(({ field }) => field);
}

function expectProblemHeaders({ status, headers }: TestResponse, contentType: string): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\w.-]{1,64}$/),
  });
  expect(headers.has('www-authenticate')).toBe(status === 401);
  expect(headers.has('retry-after')).toBe(status === 503 || status === 429);
  expect(headers.has('allow')).toBe(status === 405);
  expect(headers.has('server')).toBe(false);
}
