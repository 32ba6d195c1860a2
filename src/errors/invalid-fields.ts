import { type FieldError, InvalidInputError } from './domain-error.js';

/**
 * Collects what is wrong with an input, so that one answer names every faulty field.
 *
 * A rule returns the sentence that says what is allowed, or null when the value is fine.
 */
export class InvalidFields {
  readonly #fields: FieldError[] = [];

  check(field: string, problem: string | null): this {
    if (problem !== null) this.#fields.push({ field, message: problem });
    return this;
  }

  /** @throws InvalidInputError `INVALID_INPUT` when any check failed. */
  throwIfAny(): void {
    if (this.#fields.length > 0) throw new InvalidInputError(this.#fields);
  }
}
