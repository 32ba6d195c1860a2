import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAKE_HASHER } from './support/service/test-core.js';
import { startTestService, type TestService } from './support/service/test-service.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const BLOCKS = [...README.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands);
const run = promisify(execFile);

describe('the commands of the README', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER });
  });
  afterAll(() => service.remove());

  it('invite a member, who accepts, so that the group takes place', async () => {
    const requests = BLOCKS.filter((commands) => commands.includes('curl')).join('\n');
    const script = requests.replaceAll('localhost:4000', service.url.replace('http://', ''));
    const { stdout } = await run('bash', ['-eu', '-c', script]);
    expect(stdout).not.toContain('errors');
    expect(stdout).toContain('"accepted_count":2}');
    expect(stdout).toContain('{"name":"Supper club","state":"CONFIRMED","acceptedCount":2,"requiredCount":2}');
  });

  it('have no comments, which zsh does not accept at its prompt', () => {
    expect(BLOCKS.filter((commands) => /(^|\s)#/m.test(commands))).toEqual([]);
  });
});
