/** Schema and resolvers written by hand over pg with prepared statements, for mercurius and Apollo Server. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import pg from 'pg';

const { DATABASE_URL, TOKEN_SECRET } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, options: '-c search_path=app' });
const query = async (name, text, values, client = pool) => (await client.query({ name, text, values })).rows;

export const typeDefs = `
  enum Status { pending accepted declined }
  type User { id: Int! username: String! email: String displayName: String }
  type Member { id: Int! status: Status! user: User! }
  type Group { id: Int! members: [Member!]! acceptedCount: Int! score: Float! }
  type Query { me: User group(id: Int!): Group }
  type Mutation { setStatus(id: Int!, status: Status!): Member }`;

/** Tokens are `<user number>.<HMAC>`. */
export async function context({ headers: { authorization = '' } }) {
  const [subject = '', mac = ''] = authorization.slice('Bearer '.length).split('.');
  const expected = createHmac('sha256', TOKEN_SECRET).update(subject).digest();
  const given = Buffer.from(mac, 'base64url');
  return { userId: given.length === expected.length && timingSafeEqual(given, expected) ? Number(subject) : null };
}

/** Only members see a group. */
function requireRow(row) {
  if (row === undefined) throw new Error('There is no such group.');
  return row;
}

/** A user changes the own status only. */
async function setStatus(id, status, userId) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const [group] = await query(
      'lock',
      `select g.id from groups g join members m on m.group_id = g.id
         where m.id = $1 and m.user_id = $2 for update of g`,
      [id, userId],
      client,
    );
    requireRow(group);
    const [previous] = await query('previous', 'select status from members where id = $1', [id], client);
    const [member] = await query(
      'update_member',
      'update members set status = $2, updated_at = now() where id = $1 returning id, status',
      [id, status],
      client,
    );
    const change = Number(status === 'accepted') - Number(previous.status === 'accepted');
    await query(
      'update_group',
      `update groups set accepted_count = accepted_count + $2, updated_at = now(),
         state = case when accepted_count + $2 >= member_count then 'confirmed' else 'forming' end where id = $1`,
      [group.id, change],
      client,
    );
    await client.query('commit');
    return member;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** A column of the group, for a member. */
function column(name) {
  const text = `select g.${name} as value from groups g
    join members self on self.group_id = g.id and self.user_id = $2 where g.id = $1`;
  return async ({ id }, _, { userId }) => requireRow((await query(name, text, [id, userId]))[0]).value;
}

const USER = 'id, username, email, display_name as "displayName"';

export const resolvers = {
  Query: {
    me: async (_, __, { userId }) => (await query('me', `select ${USER} from users where id = $1`, [userId]))[0],
    group: (_, { id }) => ({ id }),
  },
  Group: {
    id: async ({ id }, _, { userId }) =>
      requireRow(
        (await query('group', 'select group_id from members where group_id = $1 and user_id = $2', [id, userId]))[0],
      ).group_id,
    members: async ({ id }, _, { userId }) => {
      const rows = await query(
        'members',
        `select m.id, m.status, u.id as user_id, u.username, u.display_name from members self
         join members m on m.group_id = self.group_id join users u on u.id = m.user_id
         where self.group_id = $1 and self.user_id = $2 order by m.id limit 20`,
        [id, userId],
      );
      requireRow(rows[0]);
      return rows.map((row) => ({
        id: row.id,
        status: row.status,
        user: { id: row.user_id, username: row.username, displayName: row.display_name },
      }));
    },
    acceptedCount: column('accepted_count'),
    score: column('score'),
  },
  Mutation: { setStatus: (_, { id, status }, { userId }) => setStatus(id, status, userId) },
};
