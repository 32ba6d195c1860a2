import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { clientSuite, logIn, type Scenario } from '../client-suite.js';
import { connectOpenapiFetch } from '../clients/openapi-fetch.js';
import { createSession, withToken } from '../clients/session.js';

/** Below the suites, so that the program finds their packages. */
const FOLDER = fileURLToPath(new URL('../.cache/openapi-fetch/', import.meta.url));

/** A program that uses the generated types. It has a compile error where a path, a member or a value is unknown. */
const PROGRAM = `
import type createClient from 'openapi-fetch';
import type { paths } from './openapi.js';

type Client = ReturnType<typeof createClient<paths>>;

export async function readProfile(client: Client): Promise<string | undefined> {
  const { data } = await client.GET('/api/auth/me');
  return data?.username;
}

export async function respond(client: Client, groupId: string, userId: string) {
  const { data, error } = await client.PATCH('/api/groups/{group_id}/users/{user_id}/status', {
    params: { path: { group_id: groupId, user_id: userId } },
    body: { status: 'accepted' },
  });
  return data?.group_state ?? error?.reason;
}

export async function readPage(client: Client, groupId: string, cursor?: string) {
  const { data } = await client.GET('/api/groups/{group_id}/members', {
    params: { path: { group_id: groupId }, query: { limit: 1, ...(cursor === undefined ? {} : { cursor }) } },
  });
  return { ids: data?.members.map((member) => member.user_id), next: data?.next_cursor };
}

const NO_SUCH_STATUS = { params: { path: { group_id: '', user_id: '' } }, body: { status: 'maybe' } } as const;

export async function mistakes(client: Client) {
  // @ts-expect-error There is no such path.
  await client.GET('/api/auth/you');
  // @ts-expect-error There is no such status.
  await client.PATCH('/api/groups/{group_id}/users/{user_id}/status', NO_SUCH_STATUS);
}
`;

type Client = ReturnType<typeof connectOpenapiFetch>;

interface Program {
  readProfile(client: Client): Promise<string | undefined>;
  respond(client: Client, groupId: string, userId: string): Promise<string | undefined>;
  readPage(client: Client, groupId: string, cursor?: string | null): Promise<{ ids?: string[]; next?: string | null }>;
}

export const openapiFetch = clientSuite('openapi-fetch', ['openapi-fetch', 'openapi-typescript'], {
  'compiles with the generated types, and logs in, reads, changes, pages and fails': async (scenario) => {
    const program = await compile(scenario.url);
    const { owner, guest, groupId } = scenario;
    const [asOwner, asGuest] = [await connectAs(scenario, 'owner'), await connectAs(scenario, 'guest')];
    assert.equal(await program.readProfile(asOwner), owner.username);
    assert.equal(await program.respond(asOwner, groupId, guest.id), 'NOT_YOUR_MEMBERSHIP');
    assert.equal(await program.respond(asGuest, groupId, guest.id), 'confirmed');
    const first = await program.readPage(asOwner, groupId);
    const second = await program.readPage(asOwner, groupId, first.next);
    assert.deepEqual([first.ids, second.ids, second.next], [[owner.id], [guest.id], null]);
  },
});

async function connectAs({ url, ...users }: Scenario, user: 'owner' | 'guest'): Promise<Client> {
  return connectOpenapiFetch(url, withToken(createSession(url, await logIn(url, users[user]))));
}

/** Generates the types of the running service, compiles the program in strict mode, and loads it. */
async function compile(url: string): Promise<Program> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(`${FOLDER}package.json`, '{"type": "module"}');
  await writeFile(`${FOLDER}openapi.ts`, astToString(await openapiTS(new URL(`${url}/openapi.json`))));
  await writeFile(`${FOLDER}program.ts`, PROGRAM);
  const module = ts.ModuleKind.NodeNext;
  const options = { strict: true, types: [], target: ts.ScriptTarget.ES2023, module, skipLibCheck: true };
  const compiled = ts.createProgram([`${FOLDER}program.ts`], options);
  const diagnostics = [...ts.getPreEmitDiagnostics(compiled), ...compiled.emit().diagnostics];
  assert.deepEqual(
    diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    [],
  );
  return (await import(`${pathToFileURL(FOLDER).href}program.js?${String(Date.now())}`)) as Program;
}
