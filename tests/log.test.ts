import { describe, expect, it } from '@jest/globals';
import { errorOf } from '../src/log.js';

describe('an error in the log', () => {
  it('of the database tells its code and its place, but not the statement with its values', () => {
    const error = Object.assign(new Error("insert into account values ('canary@example.org') - duplicate key"), {
      name: 'UniqueConstraintViolationException', code: '23505', constraint: 'account_pkey', detail: 'Key (email)=(canary@example.org) exists',
    });
    const logged = JSON.stringify(errorOf(error));
    expect(logged).not.toContain('canary');
    expect(errorOf(error)).toMatchObject({ code: '23505', constraint: 'account_pkey', type: 'UniqueConstraintViolationException' });
    expect(logged).toContain('log.test');
  });

  it('of another kind is told whole', () => {
    expect(errorOf(new TypeError('x is not a function'))).toMatchObject({ type: 'TypeError', message: 'x is not a function' });
  });
});
