import { getMetadataStorage } from 'type-graphql';

/**
 * Lets the executors read the fields that are properties of the source object directly, in all types.
 *
 * Reason: by default, type-graphql gives each such field a resolver. graphql-jit then makes the arguments, the `info`
 * and the path of each field of each row, most of the work of a page.
 *
 * @throws Error when such a field has middleware, which would not run
 */
export function readPropertiesDirectly(): void {
  const { fields, fieldResolvers, middlewares } = getMetadataStorage();
  const resolved = new Set(fieldResolvers.map(({ target, methodName }) => `${target.name}.${methodName}`));
  for (const field of fields) {
    const { target, name, schemaName } = field;
    // A field with another name than its property needs type-graphql's resolver.
    field.simple = name === schemaName;
    const isGuarded = middlewares.some((middleware) => middleware.target === target && middleware.fieldName === name);
    if (isGuarded && !resolved.has(`${target.name}.${name}`)) {
      throw new Error(`The middleware of ${target.name}.${name} would not run: use a field resolver`);
    }
  }
}
