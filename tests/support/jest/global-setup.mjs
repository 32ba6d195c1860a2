// Jest loads this file outside its own module system, so TypeScript must be registered first.
import '../typescript/register.mjs';

const { startTestServer } = await import('../database/test-server.ts');

export default startTestServer;
