// The same module, and therefore the same server, as in global-setup.mjs: Jest runs both in one process.
const { stopTestServer } = await import('../database/test-server.ts');

export default stopTestServer;
