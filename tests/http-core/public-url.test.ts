import { describe, expect, it } from '@jest/globals';
import { PublicUrl } from '../../src/http-core/index.js';

describe('PublicUrl', () => {
  it.each([
    ['https://example.org', 'https://example.org', ''],
    ['https://example.org/', 'https://example.org', ''],
    ['https://example.org/convene/', 'https://example.org/convene', '/convene'],
    ['http://example.org:8080/a/b', 'http://example.org:8080/a/b', '/a/b'],
  ])('has no slash at its end: %s', (text, href, basePath) => {
    expect(new PublicUrl(text)).toEqual({ href, basePath });
  });

  it('puts the base path before every path', () => {
    const publicUrl = new PublicUrl('https://example.org/convene/');
    expect(publicUrl.urlOf('/graphql')).toBe('https://example.org/convene/graphql');
    expect(publicUrl.pathOf('/graphql')).toBe('/convene/graphql');
    expect(publicUrl.pathOf('/')).toBe('/convene/');
  });

  it.each([
    ['/convene', '/'],
    ['/convene/', '/'],
    ['/convene?a=/convene', '/?a=/convene'],
    ['/convene/graphql?a', '/graphql?a'],
    ['/convene/convene', '/convene'],
    ['/conveners', '/conveners'],
    ['/graphql/convene', '/graphql/convene'],
    ['*', '*'],
    ['/', '/'],
  ])('removes the base path from %s once', (target, rest) => {
    expect(new PublicUrl('https://example.org/convene').withoutBasePath(target)).toBe(rest);
    expect(new PublicUrl('https://example.org').withoutBasePath(target)).toBe(target);
  });
});
