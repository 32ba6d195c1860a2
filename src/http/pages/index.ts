export { registerGraphiql } from './graphiql-page.js';
export { registerPages, type PagesOptions } from './register-pages.js';
