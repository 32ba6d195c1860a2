export { registerGraphiql } from './graphiql-page.js';
export { PROBLEM_TYPES } from './problem-types.js';
export { registerPages, type PagesOptions } from './register-pages.js';
