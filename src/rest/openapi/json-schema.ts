import { z } from 'zod';
import { COMPONENT_SCHEMAS } from '../routes/component-schemas.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the schemas that the document names, as JSON Schema. */
export function componentSchemas(): Readonly<Record<string, JsonObject>> {
  const { schemas } = z.toJSONSchema(COMPONENT_SCHEMAS, { uri: schemaReference });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIdentity(schema)]));
}

/** Converts a schema to JSON Schema. One that the document names becomes a reference. */
export function toJsonSchema(schema: z.ZodType): JsonObject {
  const id = COMPONENT_SCHEMAS.get(schema)?.id;
  return id === undefined ? withoutIdentity(z.toJSONSchema(schema)) : { $ref: schemaReference(id) };
}

function schemaReference(id: string): string {
  return `#/components/schemas/${id}`;
}

/** OpenAPI 3.1 states the dialect of all schemas, and each has its place as its identity. */
function withoutIdentity({ $schema, $id, ...schema }: JsonObject): JsonObject {
  return schema;
}
