/**
 * For `@ObjectType`, where every field is a property of what was read and has no middleware: the executors read it
 * directly. Otherwise each field of each row costs an async call, which is most of the work of a large page.
 */
export const PLAIN_FIELDS = { simpleResolvers: true } as const;
