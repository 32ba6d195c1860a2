export { registerDocs } from './register-docs.js';
