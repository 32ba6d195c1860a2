import { NotFoundError } from '../../errors/index.js';
import { requireOwner } from '../access/authorization.js';
import type { Member } from '../model/member.entity.js';
import type { AuthorizedGroupTransaction } from '../transaction/with-locked-group.js';

/**
 * A member for an owner or an administrator to manage.
 *
 * @throws NotFoundError `MEMBER_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 */
export async function requireManagedMember(
  { caller, members }: AuthorizedGroupTransaction,
  userId: string,
): Promise<Member> {
  const member = members.get(userId);
  if (member === undefined) throw new NotFoundError('MEMBER_NOT_FOUND');
  await requireOwner(caller);
  return member;
}
