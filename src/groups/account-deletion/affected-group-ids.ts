/**
 * As SQL, the ids of the groups that an account has to do with: it is in them, or its verified address has been asked to
 * be and has not answered.
 *
 * @param userId the parameter that holds the account's id; it is used twice
 */
export function affectedGroupIdsSql(userId: string): string {
  return `
    select group_id from member where user_id = ${userId}
    union
    select i.group_id from account a join invitation i on i.email_key = a.email_key and i.status in ('OPEN', 'LAPSED')
    where a.id = ${userId} and a.email_verified_at is not null`;
}
