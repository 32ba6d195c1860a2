import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isRecord } from '../../../src/errors/index.js';
import type { TestResponse } from './test-client.js';

type Json = Readonly<Record<string, unknown>>;

interface ResponseObject {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, object>>;
}

interface HeaderObject {
  readonly required?: boolean;
}

const DOCUMENT_ID = 'openapi.json';
const METHODS = ['get', 'post', 'patch'];
/** Headers that the document must name wherever a response has them. */
const CONTRACT_HEADERS = [
  'etag',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-request-id',
];

/** Validates responses against an OpenAPI document, and records which of its responses were seen. */
export class OpenApiContract {
  readonly #document: Json;
  readonly #ajv: Ajv2020;
  readonly #seen = new Set<string>();
  readonly #seenReasons = new Set<string>();

  constructor(document: Json) {
    this.#document = document;
    // The document is no schema, but contains schemas.
    this.#ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, validateSchema: false }));
    // Not in ajv-formats, and looser than it: the service checks addresses itself.
    this.#ajv.addFormat('idn-email', /^[^@]+@[^@]+$/);
    this.#ajv.addSchema(document, DOCUMENT_ID);
  }

  /** Every response of the document, as `operationId status`. */
  get documented(): readonly string[] {
    return this.#operations().flatMap(([pointer, operation]) =>
      Object.keys(this.#resolve(`${pointer}/responses`)[1]).map((status) => `${operation} ${status}`),
    );
  }

  /** The responses that were validated, as `operationId status`. */
  get seen(): ReadonlySet<string> {
    return this.#seen;
  }

  /** The reasons of the validated errors, as `operationId reason`. */
  get seenReasons(): ReadonlySet<string> {
    return this.#seenReasons;
  }

  /** Returns how a response differs from the document; nothing when it does not. */
  findDifferences(operationId: string, response: TestResponse): readonly string[] {
    const [pointer = ''] = this.#operations().find(([, id]) => id === operationId) ?? [];
    const name = `${operationId} ${String(response.status)}`;
    if (!this.documented.includes(name)) return [`${name} is not documented`];
    this.#seen.add(name);
    if (isRecord(response.body)) this.#seenReasons.add(`${operationId} ${String(response.body.reason)}`);
    const [at, found] = this.#resolve(`${pointer}/responses/${String(response.status)}`);
    const differences = [
      ...this.#headerDifferences(at, found, response),
      ...this.#bodyDifferences(at, found, response),
    ];
    return differences.map((difference) => `${name}: ${difference}`);
  }

  /** Validates a value against the schema at a JSON pointer of the document. */
  validate(pointer: string, value: unknown): readonly string[] {
    const validator = this.#validatorAt(pointer);
    return validator(value)
      ? []
      : [`${pointer}: ${this.#ajv.errorsText(validator.errors)} in ${JSON.stringify(value)}`];
  }

  #headerDifferences(pointer: string, { headers = {} }: ResponseObject, response: TestResponse): readonly string[] {
    const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const undocumented = CONTRACT_HEADERS.filter((name) => response.headers.has(name) && !names.has(name));
    const wrong = Object.keys(headers).flatMap((name) => {
      const value = response.headers.get(name);
      const [at, header] = this.#resolve(`${pointer}/headers/${escapePointer(name)}`);
      if (value === null) return (header as HeaderObject).required === true ? [`header ${name} is missing`] : [];
      return this.validate(`${at}/schema`, value);
    });
    return [...undocumented.map((name) => `header ${name} is not documented`), ...wrong];
  }

  #bodyDifferences(pointer: string, { content }: ResponseObject, response: TestResponse): readonly string[] {
    if (content === undefined) return response.text === '' ? [] : ['the body is not documented'];
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
    if (!Object.hasOwn(content, type)) return [`the content type ${type} is not documented`];
    return this.validate(`${pointer}/content/${escapePointer(type)}/schema`, response.body);
  }

  #operations(): readonly (readonly [pointer: string, operationId: string])[] {
    const { paths } = this.#document as { paths: Record<string, Record<string, { operationId: string }>> };
    return Object.entries(paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) =>
        item[method] === undefined
          ? []
          : [[`#/paths/${escapePointer(path)}/${method}`, item[method].operationId] as const],
      ),
    );
  }

  /** Follows a reference. Returns where the object is, and the object. */
  #resolve(pointer: string): readonly [pointer: string, found: Json] {
    const names = pointer.split('/').slice(1).map(unescapePointer);
    const found = names.reduce<unknown>((object, name) => (object as Json | undefined)?.[name], this.#document) as Json;
    return typeof found.$ref === 'string' ? this.#resolve(found.$ref) : [pointer, found];
  }

  #validatorAt(pointer: string): ValidateFunction {
    const validator = this.#ajv.getSchema(`${DOCUMENT_ID}${encodeFragment(pointer)}`);
    if (validator === undefined) throw new Error(`The document has no schema at ${pointer}`);
    return validator as ValidateFunction;
  }
}

/** RFC 6901, section 3. */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapePointer(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** RFC 6901, section 6. */
function encodeFragment(pointer: string): string {
  return pointer.replaceAll(/[{}]/g, encodeURIComponent);
}
