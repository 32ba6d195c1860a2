export { registerGraphiql } from './graphiql-page.js';
export { graphqlLandingPage } from './graphql-landing-page.js';
export { sendPage } from './page.js';
export { registerPages, type PagesOptions } from './register-pages.js';
