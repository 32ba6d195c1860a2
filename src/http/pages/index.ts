export { registerGraphiqlAssets } from './graphiql-assets.js';
export { graphiqlPage } from './graphiql-page.js';
export { sendPage } from './page.js';
export { PROBLEM_TYPES } from './problem-types.js';
export { registerPages, type PagesOptions } from './register-pages.js';
