const { join } = require('node:path');

const PROJECT = join(__dirname, '../../..');
/** Each has state or classes that must be those of the product. */
const SINGLE_INSTANCES = /^(@apollo\/server|graphql)(\/|$)/;

/** Resolves the packages of which the product and the suite must use the same instance from the project's folder. */
module.exports = (path, options) =>
  options.defaultResolver(path, SINGLE_INSTANCES.test(path) ? { ...options, basedir: PROJECT } : options);
