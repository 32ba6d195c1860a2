// Jest loads this file itself, outside the world in which it runs the tests: TypeScript has to be made known first.
import '../typescript/register.mjs';

const { startTestServer } = await import('../database/test-server.ts');

export default startTestServer;
