export { registerGraphiql } from './graphiql-page.js';
export { graphqlLandingPage } from './graphql-landing-page.js';
export { sendPage, type Page } from './page.js';
export { registerPages, type PagesOptions } from './register-pages.js';
export { renderPage } from './render-page.js';
