import { describe, expect, it } from '@jest/globals';
import type { DatabaseTarget } from '../../../src/database/address/database-target.js';
import { findUrlProblem, parseDatabaseUrl } from '../../../src/database/address/parse-database-url.js';
import { routesTo } from '../../../src/database/address/routes.js';

function parse(rest: string): DatabaseTarget {
  return parseDatabaseUrl(`postgres://${rest}`);
}

describe('parseDatabaseUrl', () => {
  it('reads user, password, host, port and database', () => {
    expect(parse('ada:secret@db.example:6432/convene')).toMatchObject({
      user: 'ada',
      password: 'secret',
      hosts: [{ host: 'db.example', port: 6432 }],
      database: 'convene',
    });
  });

  it('uses port 5432, the user for the database, and no password by default', () => {
    expect(parseDatabaseUrl('postgresql://ada@db')).toMatchObject({
      hosts: [{ host: 'db', port: 5432 }],
      database: 'ada',
      password: null,
      options: '',
      sessionAttributes: 'any',
      connectTimeoutMs: null,
    });
  });

  it.each([
    ['a%40b:p%2Fs%3As%3F@db/my%20data', { user: 'a@b', password: 'p/s:s?', database: 'my data' }],
    ['u:p@ss@db/x', { user: 'u', password: 'p@ss' }],
    ['u@db/x?password=p%26q&user=other&dbname=y', { user: 'other', password: 'p&q', database: 'y' }],
    ['u@db/x?options=-c%20search_path%3Dtenant', { options: '-c search_path=tenant' }],
    ['u@db/x?options=-c search_path=a+b', { options: '-c search_path=a+b' }],
    ['u@db/x?connect_timeout=7&application_name=blue', { connectTimeoutMs: 7_000, applicationName: 'blue' }],
    ['u@db/x?connect_timeout=0', { connectTimeoutMs: null }],
  ])('reads postgres://%s', (rest, expected) => {
    expect(parse(rest)).toMatchObject(expected);
  });

  it.each([
    ['u@a,b:5433,[::1]:5434/x', ['a:5432', 'b:5433', '::1:5434']],
    ['u@/x?host=/var/run/postgresql', ['/var/run/postgresql:5432']],
    ['u@%2Fvar%2Frun%2Fpostgresql/x', ['/var/run/postgresql:5432']],
    ['u@/x?host=a,b&port=1', ['a:1', 'b:1']],
    ['u@ignored:9/x?host=a,b&port=1,2', ['a:1', 'b:2']],
  ])('reads the hosts of postgres://%s', (rest, expected) => {
    expect(parse(rest).hosts.map(({ host, port }) => `${host}:${port}`)).toEqual(expected);
  });

  it.each([
    ['u@db/x', [true, false]],
    ['u@db/x?sslmode=allow', [false, true]],
    ['u@db/x?sslmode=require', [true]],
    ['u@db/x?ssl=true', [true]],
    ['u@db/x?sslmode=disable', [false]],
    ['u@/x?host=/tmp&sslmode=require', [false]],
  ])('tries TLS and plain connections of postgres://%s in the order of libpq', (rest, expected) => {
    expect(routesTo(parse(rest)).map(({ tls }) => tls)).toEqual(expected);
  });

  it.each([
    [
      'postgres://u@db/x?sslmod=require',
      /^has the parameter sslmod, which is not supported; the supported ones are host, /,
    ],
    ['postgres://u@db/x?schema=y', /^has the parameter schema, which is not supported/],
    ['postgres://u@db/x?sslmode=no-verify', /^has a parameter sslmode that must be one of disable, allow, /],
    ['postgres://u@db/x?target_session_attrs=standby', /that must be one of any, read-write, primary$/],
    ['postgres://u@db/x?connect_timeout=soon', /^has a parameter connect_timeout that must be a number of seconds$/],
    ['postgres://u@db/x?sslmode=verify-ca', /^has sslmode=verify-ca without sslrootcert/],
    [
      'postgres://u@db/x?sslmode=require&sslrootcert=system',
      /^has sslrootcert=system, which requires sslmode=verify-full$/,
    ],
    ['postgres://u@db/x?sslcert=a', /^must have both sslcert and sslkey/],
    ['postgres://u:p?ss@db/x', /^has a question mark that does not begin parameters/],
    ['postgres://u:100%@db/x', /^has a percent sign/],
    ['postgres://u@db:99999/x', /^has a port that is no number from 1 to 65535$/],
    ['postgres://u@::1/x', /^has a host that is none/],
    ['postgres://u@a,b/x?port=1,2,3', /^must have one port, or one for each host$/],
    ['postgres:///x', /^names no host/],
    ['mysql://u@db/x', /^must be a URL that begins with/],
    ['host=db dbname=x', /^must be a URL that begins with/],
  ])('refuses %s', (url, problem) => {
    expect(findUrlProblem(url)).toMatch(problem);
    expect(() => parseDatabaseUrl(url)).toThrow('The URL of the database ');
  });

  it('repeats no part of the URL but the names of parameters', () => {
    expect(findUrlProblem('postgres://u:s3cret?x@db/x')).not.toContain('s3cret');
    expect(findUrlProblem('postgres://u:s3cret@db:port/x?password=t0p&x=1')).not.toMatch(/s3cret|t0p/);
  });
});
