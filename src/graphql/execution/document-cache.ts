import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { PARSE_FAILED, VALIDATION_FAILED } from '../errors/request-error.js';
import { exceededLimit } from '../limits/exceeded-limit.js';
import type { DocumentLimits } from '../limits/operation-limits.js';

const MAX_CACHED_DOCUMENTS = 1_000;
/** Of all cached documents together, because a parsed document takes many times the memory of its text. */
const MAX_CACHED_CHARACTERS = 2_000_000;
/** The parser's message for a document that is too long. */
const TOO_MANY_TOKENS = /Document contains more tha[tn] \d+ tokens/;

export interface DocumentOptions {
  /** Whether introspection is allowed and validation errors suggest similar names. */
  readonly introspection: boolean;
  readonly limits: DocumentLimits;
}

/** The errors of a text that does not parse, or that is not valid for the schema. */
export interface InvalidDocument {
  readonly errors: readonly GraphQLError[];
  readonly code: typeof PARSE_FAILED | typeof VALIDATION_FAILED;
}

/** Parses and validates documents. Caches up to 1,000 valid documents, of 2,000,000 characters together. */
export class DocumentCache {
  readonly #schema: GraphQLSchema;
  readonly #options: DocumentOptions;
  readonly #bySource = new LRUCache<string, DocumentNode>({
    max: MAX_CACHED_DOCUMENTS,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, source) => source.length,
  });
  readonly #valid = new WeakSet<DocumentNode>();

  constructor(schema: GraphQLSchema, options: DocumentOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  read(source: string): DocumentNode | InvalidDocument {
    const cached = this.#bySource.get(source);
    if (cached !== undefined) return cached;
    const document = this.#parseAndValidate(source);
    if ('errors' in document) return document;
    this.#valid.add(document);
    this.#bySource.set(source, document);
    return document;
  }

  /** Whether `read` has returned this document object, which is then valid. */
  isKnown(document: DocumentNode): boolean {
    return this.#valid.has(document);
  }

  #parseAndValidate(source: string): DocumentNode | InvalidDocument {
    const { introspection, limits } = this.#options;
    try {
      const document = parse(source, { maxLexicalTokens: limits.tokens });
      const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
      const errors = validate(this.#schema, document, rules, { hideSuggestions: !introspection });
      return errors.length === 0 ? document : { errors: errors.map(withClearMessage), code: VALIDATION_FAILED };
    } catch (error) {
      if (error instanceof GraphQLError)
        return {
          errors: [TOO_MANY_TOKENS.test(error.message) ? exceededLimit('tokens', limits.tokens) : error],
          code: PARSE_FAILED,
        };
      throw error;
    }
  }
}

/** graphql-js aborts the comparison of sibling fields when there are very many. */
function withClearMessage(error: GraphQLError): GraphQLError {
  return error.message === 'Validation aborted.'
    ? new GraphQLError('The document selects too many fields beside each other to be checked.')
    : error;
}
