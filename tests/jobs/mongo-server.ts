import { randomUUID } from 'node:crypto';

/** A MongoDB server to test on, or the reason why there is none. */
export type MongoServer = { readonly uri: string; stop(): Promise<void> } | { readonly missing: string };

interface MemoryServerModule {
  readonly MongoMemoryServer: { create(): Promise<{ getUri(): string; stop(): Promise<unknown> }> };
}

/**
 * The server that MONGODB_URI names; otherwise one that mongodb-memory-server fetches, where that package is installed.
 */
export async function findMongoServer(): Promise<MongoServer> {
  const uri = process.env['MONGODB_URI'];
  if (uri !== undefined && uri !== '') return { uri: databaseOfItsOwn(uri), stop: () => Promise.resolve() };
  const memoryServer = await findMemoryServer();
  if (memoryServer === null) return { missing: 'MONGODB_URI is not set, and mongodb-memory-server is not installed' };
  try {
    const server = await memoryServer.MongoMemoryServer.create();
    return {
      uri: databaseOfItsOwn(server.getUri()),
      stop: async () => {
        await server.stop();
      },
    };
  } catch (error) {
    return {
      missing: `mongodb-memory-server cannot start a server: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function findMemoryServer(): Promise<MemoryServerModule | null> {
  // Not a dependency, and so not known to the compiler.
  const name: string = 'mongodb-memory-server';
  try {
    return (await import(name)) as MemoryServerModule;
  } catch {
    return null;
  }
}

function databaseOfItsOwn(uri: string): string {
  const url = new URL(uri);
  url.pathname = `/convene_test_${randomUUID().replaceAll('-', '')}`;
  return url.href;
}
