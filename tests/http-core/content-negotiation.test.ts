import { describe, expect, it } from '@jest/globals';
import accepts from 'accepts';
import type { FastifyRequest } from 'fastify';
import { negotiateOnce } from '../../src/http-core/content-negotiation.js';

const OFFERED = ['application/json', 'text/html'];

/** The part of a request that is read. */
function requestAccepting(accept: string | undefined): FastifyRequest {
  const headers = accept === undefined ? {} : { accept };
  return { headers, raw: { headers } } as unknown as FastifyRequest;
}

describe('negotiateOnce', () => {
  const prefer = negotiateOnce(OFFERED);

  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/html, application/json;q=0.5', 'text/html'],
    ['absent', false],
    ['image/png', false],
    [`image/png, ${'x'.repeat(300)}/y, text/*`, 'text/html'],
  ])('returns for Accept: %s what accepts returns, also the second time', (accept, expected) => {
    const request = requestAccepting(accept);
    expect(prefer(request)).toBe(expected);
    expect(prefer(request)).toBe(expected);
    expect([accepts(request.raw).type(OFFERED)].flat()[0]).toBe(expected);
  });
});
