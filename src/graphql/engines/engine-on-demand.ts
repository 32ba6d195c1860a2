import type { Engine } from './engine.js';

/** Creates an engine that is loaded at its first request. After a failure, the next request loads it again. */
export function engineOnDemand(load: () => Promise<Engine>): Engine {
  let loaded: Promise<Engine> | null = null;

  function engine(): Promise<Engine> {
    loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    });
    return loaded;
  }

  return {
    handle: async (request) => (await engine()).handle(request),
    stop: async () => {
      await (await loaded)?.stop();
    },
  };
}
