export { graphiqlPage, type GraphiqlPageParts } from './graphiql-page.js';
export { registerGraphiqlAssets } from './graphiql-assets.js';
export { type Page, sendPage } from './page.js';
export { type PagesOptions, registerPages } from './register-pages.js';
export type { StartPageLink, StartPageRoute } from './start-page.js';
