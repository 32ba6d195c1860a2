import { batchedRead, type BatchedRead, type CheckedPage, type Database, type Statement, statement } from '../../database/index.js';
import type { MemberView } from '../member-view.js';
import type { ResponseStatus } from '../response-counts.js';
import { MEMBER_COLUMNS, memberOfRow, type MemberRow } from './member-row.js';

/** Where a member stands in the list: by when they were invited, then by id. */
export type MemberPlace = Pick<MemberView, 'invitedAt' | 'userId'>;

export interface MembersAsk extends CheckedPage<MemberPlace> {
  readonly groupId: string;
  /** Null for members of every answer. */
  readonly status: ResponseStatus | null;
}

/** Gives the members that follow `after`, one more than `first` where there are more. */
export type MembersRead = (ask: MembersAsk) => Promise<readonly MemberView[]>;

/** Larger pages get a statement each: many of them in one would hold too many rows at once. */
const LARGEST_BATCHED = 100;

interface MembersRow extends MemberRow {
  readonly ask: number;
}

interface AnsweredAsk {
  readonly key: string;
  readonly members: readonly MemberView[];
}

/**
 * The pages asked for, each cut off by its own limit before accounts are looked at.
 *
 * The second lateral keeps the planner from reading every account once it expects many rows.
 */
function membersStatement(name: string, filter: string): Statement<MembersRow> {
  return statement<MembersRow>(name, `
    select ask.ordinality::integer as ask, ${MEMBER_COLUMNS}
    from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::uuid[], $5::integer[])
      with ordinality as ask (group_id, status, invited_at, user_id, most)
    cross join lateral (
      select * from member
      where group_id = ask.group_id ${filter} and (invited_at, user_id) > (ask.invited_at, ask.user_id)
      order by invited_at, user_id limit ask.most
    ) m
    cross join lateral (select * from account where id = m.user_id offset 0) a
    order by ask.ordinality, m.invited_at, m.user_id`);
}

const MEMBERS = membersStatement('members', '');
const MEMBERS_OF_STATUS = membersStatement('members_of_status', 'and status = ask.status');

export function readMembers(database: Database): MembersRead {
  const everyone = pagesOf(database, MEMBERS);
  const ofStatus = pagesOf(database, MEMBERS_OF_STATUS);
  return (ask) => (ask.status === null ? everyone(ask) : ofStatus(ask));
}

function pagesOf(database: Database, read: Statement<MembersRow>): MembersRead {
  const readMany = (asks: readonly MembersAsk[]): Promise<AnsweredAsk[]> => answerAsks(database, read, asks);
  const batched: BatchedRead<MembersAsk, AnsweredAsk> = batchedRead(readMany, askText, ({ key }) => key);
  return async (ask) => {
    const answered = ask.first > LARGEST_BATCHED ? (await readMany([ask]))[0] : await batched(ask);
    return answered?.members ?? [];
  };
}

async function answerAsks(database: Database, read: Statement<MembersRow>, asks: readonly MembersAsk[]): Promise<AnsweredAsk[]> {
  const rows = await database.read(read, [
    asks.map(({ groupId }) => groupId),
    asks.map(({ status }) => status),
    asks.map(({ after }) => after?.invitedAt ?? BEFORE_ALL.invitedAt),
    asks.map(({ after }) => after?.userId ?? BEFORE_ALL.userId),
    asks.map(({ first }) => first + 1),
  ]);
  const answers = asks.map((ask) => ({ key: askText(ask), members: new Array<MemberView>() }));
  // `ordinality` counts from 1.
  for (const row of rows) answers[row.ask - 1]?.members.push(memberOfRow(row));
  return answers;
}

/** Before every member there can be, so that the first page is read like any other. */
const BEFORE_ALL = { invitedAt: '-infinity', userId: '00000000-0000-0000-0000-000000000000' };

function askText({ groupId, status, first, after }: MembersAsk): string {
  return [groupId, status, first, after?.invitedAt.getTime(), after?.userId].join(' ');
}
