import { NotFoundError } from '../../errors/index.js';

export function invitationNotFound(): NotFoundError {
  return new NotFoundError('INVITATION_NOT_FOUND');
}
