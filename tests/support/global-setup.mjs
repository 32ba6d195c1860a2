// Jest loads this file itself, outside the world in which it runs the tests: TypeScript has to be made known first.
import '@swc-node/register/esm-register';

const { startTestServer } = await import('./test-server.ts');

export default startTestServer;
