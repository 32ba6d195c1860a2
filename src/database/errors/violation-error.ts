import type { DomainError } from '../../errors/index.js';

const ERRORS = new Map<string, () => DomainError>();

/**
 * Class decorator of an entity: declares the error that callers get when a statement violates a constraint of its
 * table. Violations of constraints without a declared error are unexpected errors.
 */
export function ViolationError(constraint: string, create: () => DomainError): ClassDecorator {
  return () => {
    ERRORS.set(constraint, create);
  };
}

/** @returns null when no entity declares an error for the constraint */
export function findViolationError(constraint: unknown): DomainError | null {
  return typeof constraint === 'string' ? (ERRORS.get(constraint)?.() ?? null) : null;
}
