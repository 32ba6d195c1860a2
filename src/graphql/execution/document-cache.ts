import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { HttpError } from '../../http-core/index.js';
import { rootFields } from '../documents/root-fields.js';
import { PARSE_FAILED, VALIDATION_FAILED } from '../errors/request-error.js';
import { exceededLimit } from '../limits/exceeded-limit.js';
import type { DocumentLimits } from '../limits/operation-limits.js';
import { invalidDocuments, locate } from '../trusted-documents/start-errors.js';
import type { TrustedDocument } from '../trusted-documents/trusted-document.js';
import { TrustedDocuments } from '../trusted-documents/trusted-documents.js';

const MAX_CACHED_DOCUMENTS = 1_000;
/** Of all cached documents together, because a parsed document takes many times the memory of its text. */
const MAX_CACHED_CHARACTERS = 2_000_000;
/** The parser's message for a document that is too long. */
const TOO_MANY_TOKENS = /Document contains more tha[tn] \d+ tokens/;

export interface DocumentOptions {
  /** Whether introspection is allowed and validation errors suggest similar names. */
  readonly introspection: boolean;
  readonly limits: DocumentLimits;
  /** None by default. */
  readonly trusted?: TrustedDocuments;
}

const GATEWAY_FIELDS: readonly string[] = ['_entities', '_service', '__typename'];
const NONE_TRUSTED = new TrustedDocuments([], { isExclusive: false });

/** The errors of a text that does not parse, or that is not valid for the schema. */
export interface InvalidDocument {
  readonly errors: readonly GraphQLError[];
  readonly code: typeof PARSE_FAILED | typeof VALIDATION_FAILED;
}

/**
 * Parses and validates documents. Caches up to 1,000 valid documents, of 2,000,000 characters together, and the trusted
 * documents for as long as the process runs.
 */
export class DocumentCache {
  readonly #schema: GraphQLSchema;
  readonly #options: DocumentOptions;
  readonly trusted: TrustedDocuments;
  readonly #trustedBySource: ReadonlyMap<string, DocumentNode>;
  readonly #bySource = new LRUCache<string, DocumentNode>({
    max: MAX_CACHED_DOCUMENTS,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, source) => source.length,
  });
  readonly #valid = new WeakSet<DocumentNode>();

  /** @throws OperatorError naming each trusted document that does not fit the schema */
  constructor(schema: GraphQLSchema, options: DocumentOptions) {
    this.#schema = schema;
    this.#options = options;
    this.trusted = options.trusted ?? NONE_TRUSTED;
    this.#trustedBySource = this.#readTrusted();
  }

  /**
   * @param mayFederate whether the caller may use the fields of gateways in any document
   * @throws HttpError `DOCUMENT_NOT_TRUSTED` when only trusted documents are allowed
   */
  read(source: string, mayFederate = false): DocumentNode | InvalidDocument {
    if (!this.trusted.isExclusive) return this.#readAny(source);
    const trusted = this.#trustedBySource.get(source);
    if (trusted !== undefined) return trusted;
    const document = mayFederate ? this.#readAny(source) : null;
    if (document === null || 'errors' in document || !selectsGatewayFields(document)) throw notTrusted();
    return document;
  }

  #readAny(source: string): DocumentNode | InvalidDocument {
    const cached = this.#bySource.get(source) ?? this.#trustedBySource.get(source);
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

  #readTrusted(): ReadonlyMap<string, DocumentNode> {
    const problems: string[] = [];
    const documents = new Map<string, DocumentNode>();
    for (const trusted of this.trusted.all) {
      const document = this.#parseTrusted(trusted);
      if ('errors' in document) problems.push(...document.errors.map((error) => locate(error, trusted.origin)));
      else documents.set(trusted.text, document);
    }
    if (problems.length > 0) throw invalidDocuments(problems);
    documents.forEach((document) => this.#valid.add(document));
    return documents;
  }

  /** The maximum of tokens protects from texts of clients, so it does not apply. */
  #parseTrusted({ text, document }: TrustedDocument): DocumentNode | Pick<InvalidDocument, 'errors'> {
    try {
      const parsed = document ?? parse(text);
      const errors = validate(this.#schema, parsed, this.#rules());
      return errors.length === 0 ? parsed : { errors: errors.map(withClearMessage) };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  }

  #parseAndValidate(source: string): DocumentNode | InvalidDocument {
    const { introspection, limits } = this.#options;
    try {
      const document = parse(source, { maxLexicalTokens: limits.tokens });
      const errors = validate(this.#schema, document, this.#rules(), { hideSuggestions: !introspection });
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

  #rules(): readonly ValidationRule[] {
    return this.#options.introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  }
}

/** Whether the document reads only what gateways read of a subgraph. */
function selectsGatewayFields(document: DocumentNode): boolean {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  return operations.every((operation) =>
    rootFields({ document, operation }).every(({ name }) => GATEWAY_FIELDS.includes(name.value)),
  );
}

function notTrusted(): HttpError {
  return new HttpError('DOCUMENT_NOT_TRUSTED', 'The service runs trusted documents only.');
}

/** graphql-js aborts the comparison of sibling fields when there are very many. */
function withClearMessage(error: GraphQLError): GraphQLError {
  return error.message === 'Validation aborted.'
    ? new GraphQLError('The document selects too many fields beside each other to be checked.')
    : error;
}
