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

async function setStatus(id, status) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const [group] = await query(
      'lock',
      'select g.id from groups g join members m on m.group_id = g.id where m.id = $1 for update of g',
      [id],
      client,
    );
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

const USER = 'id, username, email, display_name as "displayName"';

export const resolvers = {
  Query: {
    me: async (_, __, { userId }) => (await query('me', `select ${USER} from users where id = $1`, [userId]))[0],
    group: (_, { id }) => ({ id }),
  },
  Group: {
    members: async ({ id }) =>
      (
        await query(
          'members',
          `select m.id, m.status, u.id as user_id, u.username, u.display_name from members m
           join users u on u.id = m.user_id where m.group_id = $1 order by m.id limit 20`,
          [id],
        )
      ).map((row) => ({
        id: row.id,
        status: row.status,
        user: { id: row.user_id, username: row.username, displayName: row.display_name },
      })),
    acceptedCount: async ({ id }) =>
      (await query('count', 'select accepted_count from groups where id = $1', [id]))[0].accepted_count,
    score: async ({ id }) => (await query('score', 'select score from groups where id = $1', [id]))[0].score,
  },
  Mutation: { setStatus: (_, { id, status }) => setStatus(id, status) },
};
