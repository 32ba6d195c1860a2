/**
 * The reference: node:http and pg, with prepared statements on the tables of the service. The same checks of tokens and
 * access, rows and JSON as the REST paths, with nothing in between.
 */
import { createPublicKey, randomUUID, verify } from 'node:crypto';
import http from 'node:http';
import { hash as hashPassword, verify as verifyPassword } from '@node-rs/argon2';
import pg from 'pg';

const { DATABASE_URL, PORT, PUBLIC_JWK, ISSUER } = process.env;
/** The default parameters of the service. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Times become the text of the JSON directly. Parsing and printing Dates takes most of the time of a page. */
const types = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.TIMESTAMPTZ ? toIsoTime : pg.types.getTypeParser(type, format),
};
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, types });
const publicKey = createPublicKey({ key: JSON.parse(PUBLIC_JWK), format: 'jwk' });

/** Verified tokens: a signature is checked once. */
const claimsOf = new Map();

/** @returns the user's id; null for a missing, invalid or expired token */
function authenticate(request) {
  const header = request.headers.authorization;
  if (header === undefined || !header.startsWith('Bearer ')) return null;
  const token = header.slice(7);
  const claims = claimsOf.get(token) ?? verifyToken(token);
  return claims !== null && claims.exp > Date.now() / 1_000 ? claims.sub : null;
}

function verifyToken(token) {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' };
  if (!verify('sha256', Buffer.from(token.slice(0, end)), key, signature)) return null;
  const claims = JSON.parse(Buffer.from(token.slice(token.indexOf('.') + 1, end), 'base64url').toString());
  if (claims.iss !== ISSUER || claims.aud !== 'convene') return null;
  claimsOf.set(token, claims);
  return claims;
}

/** @param text a time of a session in UTC, such as `2026-01-01 12:00:00.123456+00` */
function toIsoTime(text) {
  const milliseconds = text[19] === '.' ? text.slice(20, -3).padEnd(3, '0').slice(0, 3) : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

const query = async (client, name, text, values) => (await client.query({ name, text, values })).rows;

const PROFILE = `id as user_id, username, email, email_verified_at is not null as email_verified, display_name,
  created_at, roles`;

function toProfile(row) {
  row.roles = row.roles.map((role) => role.toLowerCase());
  return row;
}

async function me(userId) {
  const [row] = await query(pool, 'me', `select ${PROFILE} from account where id = $1 and disabled_at is null`, [
    userId,
  ]);
  return row && toProfile(row);
}

/** Only members see a group. */
async function acceptedCount(groupId, userId) {
  const [row] = await query(
    pool,
    'count',
    `select g.id as group_id, g.accepted_count from groups g join member m on m.group_id = g.id and m.user_id = $2
     where g.id = $1`,
    [groupId, userId],
  );
  return row;
}

async function score(groupId, userId) {
  const [row] = await query(
    pool,
    'score',
    `select g.id as group_id, s.value as compatibility_score, s.source, s.scored_at,
       s.answers_revision <> g.answers_revision as stale
     from groups g join member m on m.group_id = g.id and m.user_id = $2
     left join lateral (
       select * from compatibility_score where group_id = g.id order by sequence desc limit 1
     ) s on true
     where g.id = $1`,
    [groupId, userId],
  );
  return row;
}

async function members(groupId, userId) {
  const rows = await query(
    pool,
    'members',
    `select g.pending_count + g.accepted_count + g.tentative_count + g.declined_count as total, m.user_id, a.username,
       a.display_name, m.role, m.status, m.invited_at, m.responded_at, m.revision
     from groups g join member self on self.group_id = g.id and self.user_id = $2
     join lateral (select * from member where group_id = g.id order by invited_at, user_id limit 21) m on true
     join account a on a.id = m.user_id where g.id = $1 order by m.invited_at, m.user_id`,
    [groupId, userId],
  );
  const page = rows.slice(0, 20);
  const last = page.at(-1);
  return {
    group_id: groupId,
    total: rows[0]?.total,
    members: page.map((row) => ({
      user_id: row.user_id,
      username: row.username,
      display_name: row.display_name,
      role: row.role.toLowerCase(),
      status: row.status.toLowerCase(),
      invited_at: row.invited_at,
      responded_at: row.responded_at,
      revision: row.revision,
    })),
    next_cursor: rows.length > 20 ? Buffer.from(`${last.invited_at} ${last.user_id}`).toString('base64url') : null,
  };
}

const COUNTED_AS = { PENDING: 'pending', ACCEPTED: 'accepted', TENTATIVE: 'tentative', DECLINED: 'declined' };

function stateOf(group) {
  const invited = group.pending + group.accepted + group.tentative + group.declined;
  const required = group.quorum ?? Math.max(2, invited);
  if (group.accepted >= required) return 'CONFIRMED';
  return invited >= required && group.accepted + group.pending + group.tentative < required ? 'FAILED' : 'FORMING';
}

/** The whole transaction: lock, read, three writes, commit. */
async function setStatus(groupId, memberId, userId, status) {
  if (memberId !== userId || !(status in COUNTED_AS)) return undefined;
  const client = await pool.connect();
  try {
    await client.query('begin');
    const [group] = await query(
      client,
      'lock',
      `select quorum, state, revision, pending_count as pending, accepted_count as accepted,
         tentative_count as tentative, declined_count as declined from groups where id = $1 for update`,
      [groupId],
    );
    const [member] = await query(client, 'member', 'select status from member where group_id = $1 and user_id = $2', [
      groupId,
      memberId,
    ]);
    const before = group.state;
    group[COUNTED_AS[member.status]] -= 1;
    group[COUNTED_AS[status]] += 1;
    group.state = stateOf(group);
    const now = new Date();
    const counts = [group.pending, group.accepted, group.tentative, group.declined];
    await query(
      client,
      'update_member',
      `update member set status = $3, responded_at = $4, revision = revision + 1 where group_id = $1 and user_id = $2`,
      [groupId, memberId, status, now],
    );
    await query(
      client,
      'update_group',
      `update groups set state = $2, state_changed_at = case when state = $2 then state_changed_at else $3 end,
         revision = $4, answers_revision = $4, pending_count = $5, accepted_count = $6, tentative_count = $7,
         declined_count = $8 where id = $1`,
      [groupId, group.state, now, group.revision + 1, ...counts],
    );
    await query(
      client,
      'insert_change',
      `insert into group_change (group_id, revision, cause, actor_id, subject_id, status, state_before, state_after, at,
         pending_count, accepted_count, tentative_count, declined_count)
       values ($1, $2, 'RESPONSE', $3, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [groupId, group.revision + 1, userId, status, before, group.state, now, ...counts],
    );
    await client.query('commit');
    return {
      group_id: groupId,
      user_id: memberId,
      status: status.toLowerCase(),
      responded_at: now,
      group_state: group.state.toLowerCase(),
      accepted_count: group.accepted,
      changed: true,
    };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function logIn({ username, password }) {
  const [account] = await query(
    pool,
    'log_in',
    'select id, password_hash from account where username_key = $1 and disabled_at is null',
    [username],
  );
  return account !== undefined && (await verifyPassword(account.password_hash, password))
    ? { access_token: 'issued', token_type: 'bearer', user_id: account.id }
    : undefined;
}

/** Without validation, limits and follow-ups: hardly more than the hash. */
async function register({ username, password }) {
  const passwordHash = await hashPassword(password, ARGON2);
  const [row] = await query(
    pool,
    'register',
    `insert into account (id, username, username_key, password_hash, created_at) values ($1, $2, $3, $4, now())
     returning ${PROFILE}`,
    [randomUUID(), username, username.toLowerCase(), passwordHash],
  );
  return toProfile(row);
}

function readBody(request) {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      try {
        resolve(JSON.parse(text));
      } catch (error) {
        reject(error);
      }
    });
  });
}

async function answer(request) {
  const path = request.url.split('?', 1)[0].split('/');
  if (path[3] === 'token') return logIn(await readBody(request));
  if (path[3] === 'register') return register(await readBody(request));
  const userId = authenticate(request);
  if (userId === null) return undefined;
  if (path[3] === 'me') return me(userId);
  if (path[4] === 'members') return members(path[3], userId);
  if (path[4] === 'accepted-count') return acceptedCount(path[3], userId);
  if (path[4] === 'compatibility_score') return score(path[3], userId);
  return setStatus(path[3], path[5], userId, (await readBody(request)).status.toUpperCase());
}

function send(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

http
  .createServer((request, response) => {
    answer(request).then(
      (body) => {
        if (body === undefined) send(response, 404, {});
        else send(response, request.url === '/api/auth/register' ? 201 : 200, body);
      },
      (error) => send(response, 500, { error: error.message }),
    );
  })
  .listen(Number(PORT), '127.0.0.1');
