import { NotFoundError } from '../../errors/index.js';

export function invitationNotFound(): NotFoundError {
  return new NotFoundError('INVITATION_NOT_FOUND');
}

/** Whoever may not know of a group, or finds it gone, may not know of its invitations either. */
export async function hidingGroup<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof NotFoundError ? invitationNotFound() : error;
  }
}
