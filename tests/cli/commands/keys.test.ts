import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCliFixture, type CliFixture } from '../fixtures/cli-fixture.js';

const KID = /^[\w-]{43}$/;

let fixture: CliFixture;
beforeAll(async () => {
  fixture = await createCliFixture();
});
afterAll(() => fixture.close());

async function listed(): Promise<string[][]> {
  const { code, out, err } = await fixture.convene('keys', 'list');
  expect([code, err]).toEqual([0, '']);
  const [headings, ...rows] = out.split('\n');
  expect(headings).toMatch(/^KEY {42}USE {6,}MADE {22}SIGNS UNTIL$/);
  return rows.map((row) => row.split(/ {2,}/));
}

describe('convene keys', () => {
  it('lists the signing key, created when there was none', async () => {
    expect(await listed()).toEqual([[expect.stringMatching(KID), 'signing', expect.stringMatching(/Z$/)]]);
  });

  it('rotates: publishes the new key while the old one signs for another minute', async () => {
    const [before] = await listed();
    const { code, out, err } = await fixture.convene('keys', 'rotate');
    expect([code, err]).toEqual([0, 'It signs in 60 seconds; tokens of the present key stay good until they expire.']);
    expect(out).toMatch(KID);
    const [old, fresh, ...others] = await listed();
    expect(others).toEqual([]);
    expect(old).toEqual([before?.[0], 'signing', before?.[2], expect.stringMatching(/Z$/)]);
    expect(fresh?.slice(0, 2)).toEqual([out, 'published']);
    expect(Date.parse(old?.[3] ?? '') - Date.parse(fresh?.[2] ?? '')).toBe(60_000);
  });

  it('fails with another server secret', async () => {
    const { code, err } = await fixture.conveneWith(
      { SERVER_SECRET: Buffer.alloc(32, 8).toString('base64') },
      'keys',
      'list',
    );
    expect(code).toBe(1);
    expect(err).toContain('SERVER_SECRET must list the secret');
  });
});
