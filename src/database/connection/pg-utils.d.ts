/** The types of pg leave out what it writes parameters with. */
declare module 'pg/lib/utils.js' {
  const utils: { readonly prepareValue: (value: unknown) => unknown };
  export default utils;
}
