/**
 * Option of `@ObjectType` for types whose fields are all properties of the source object, without middleware.
 * The executors then read the properties directly.
 *
 * Reason: otherwise each field of each row costs an asynchronous call, most of the work of a large page.
 */
export const PLAIN_FIELDS = { simpleResolvers: true } as const;
