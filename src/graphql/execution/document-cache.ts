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

/** Clients send the same few documents over and over. */
const REMEMBERED_DOCUMENTS = 1_000;
/** In all of them: a parsed document takes many times the memory of its text. */
const REMEMBERED_CHARACTERS = 2_000_000;
/** What the parser says of a document that is too long. */
const TOO_MANY_TOKENS = /Document contains more tha[tn] \d+ tokens/;

export interface DocumentOptions {
  /** Whether clients may ask for the schema, and are told what they may have meant. */
  readonly introspection: boolean;
  readonly limits: DocumentLimits;
}

/** A text that is no document, or none that the schema can answer. */
export interface InvalidDocument {
  readonly refused: readonly GraphQLError[];
  readonly code: typeof PARSE_FAILED | typeof VALIDATION_FAILED;
}

/** Parses and validates documents, once each, and remembers those that are valid. */
export class DocumentCache {
  readonly #schema: GraphQLSchema;
  readonly #options: DocumentOptions;
  readonly #bySource = new LRUCache<string, DocumentNode>({
    max: REMEMBERED_DOCUMENTS,
    maxSize: REMEMBERED_CHARACTERS,
    sizeCalculation: (_, source) => source.length,
  });
  readonly #valid = new WeakSet<DocumentNode>();

  constructor(schema: GraphQLSchema, options: DocumentOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  read(source: string): DocumentNode | InvalidDocument {
    const known = this.#bySource.get(source);
    if (known !== undefined) return known;
    const document = this.#readNew(source);
    if ('refused' in document) return document;
    this.#valid.add(document);
    this.#bySource.set(source, document);
    return document;
  }

  /** Whether this very document came from `read`. */
  isKnown(document: DocumentNode): boolean {
    return this.#valid.has(document);
  }

  #readNew(source: string): DocumentNode | InvalidDocument {
    const { introspection, limits } = this.#options;
    try {
      const document = parse(source, { maxLexicalTokens: limits.tokens });
      const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
      const problems = validate(this.#schema, document, rules, { hideSuggestions: !introspection });
      return problems.length === 0 ? document : { refused: problems.map(inWords), code: VALIDATION_FAILED };
    } catch (error) {
      if (error instanceof GraphQLError)
        return {
          refused: [TOO_MANY_TOKENS.test(error.message) ? exceededLimit('tokens', limits.tokens) : error],
          code: PARSE_FAILED,
        };
      throw error;
    }
  }
}

/** graphql-js gives up comparing fields that stand beside each other when there are very many. */
function inWords(problem: GraphQLError): GraphQLError {
  return problem.message === 'Validation aborted.'
    ? new GraphQLError('The document selects too many fields beside each other to be checked.')
    : problem;
}
