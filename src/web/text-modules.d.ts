/** The bundler replaces an import of a GraphQL document with its text, comments included. */
declare module '*.graphql' {
  const text: string;
  export default text;
}
