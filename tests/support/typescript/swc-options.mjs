/** How TypeScript is compiled wherever tests run it: inside Jest, and in processes of their own. */
export const SWC_OPTIONS = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'es6' },
};
