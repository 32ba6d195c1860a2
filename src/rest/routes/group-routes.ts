import type { z } from 'zod';
import { InvalidInputError } from '../../errors/index.js';
import { parseIfMatch, revisionTag } from '../conditional-requests/preconditions.js';
import {
  AcceptedCountDocument,
  CompatibilityScoreDocument,
  MembersDocument,
  UpdateMemberStatusDocument,
  type MembersQuery,
} from '../generated/operations.js';
import { parseEnumValue, toGraphqlNames, toRestEnumValue } from './case-mapping.js';
import {
  ACCEPTED_COUNT,
  COMPATIBILITY_SCORE,
  MEMBER_LIST,
  MEMBERS_QUERY,
  RECORDED_STATUS,
  STATUS_CHANGE,
  type MEMBER,
} from './group-schemas.js';
import { IF_MATCH } from './request-headers.js';
import { defineRoute, type RestRequest, type RestRoute } from './route.js';

const STATUSES = ['PENDING', 'ACCEPTED', 'TENTATIVE', 'DECLINED'] as const;
const GROUP_ID = { id: 'group_id', groupId: 'group_id' };
/** Page size of the complete list: the maximum of GraphQL. */
const LIST_PAGE_SIZE = 1_000;
const DEFAULT_LIMIT = 100;

const READABLE_BY =
  'Members, administrators, and API keys with the scope `groups:read` may read it. For other callers it is 404.';
const READ_REASONS = ['SCOPE_REQUIRED', 'GROUP_NOT_FOUND'] as const;

/** Counts, members, responses and scores of a group. */
export const GROUP_ROUTES: readonly RestRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/groups/:group_id/accepted-count',
    operationId: 'getAcceptedCount',
    summary: 'Count the accepted responses',
    description: `Returns how many members have accepted. ${READABLE_BY}`,
    responseSchema: ACCEPTED_COUNT,
    reasons: READ_REASONS,
    needsToken: true,
    isRevalidated: true,
    operation: AcceptedCountDocument,
    variables: groupVariables,
    toResponse: ({ group }) => ({ body: { group_id: group.id, accepted_count: group.acceptedCount } }),
    fieldNames: GROUP_ID,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/groups/:group_id/members',
    operationId: 'listMembers',
    summary: 'List the members',
    description:
      'Returns the members in the order of their invitation, with their responses. ' +
      'Without `limit` and `cursor` it is the complete list. A list of more than 1,000 members is then streamed ' +
      'without `ETag`, and the connection is closed before its end when the token becomes invalid. ' +
      `With one of them it is a page, and \`Link\` leads to the next one. ${READABLE_BY}`,
    responseSchema: MEMBER_LIST,
    reasons: [...READ_REASONS, 'RATE_LIMITED'],
    needsToken: true,
    query: MEMBERS_QUERY,
    isRevalidated: true,
    operation: MembersDocument,
    variables: (request) => ({
      ...groupVariables(request),
      status: request.query.status === undefined ? null : parseEnumValue('status', request.query.status, STATUSES),
      first: isCompleteList(request) ? LIST_PAGE_SIZE : limitOf(request),
      after: request.query.cursor ?? null,
    }),
    toResponse: ({ group: { id, members } }, request) => {
      const next = members.pageInfo.hasNextPage ? (members.pageInfo.endCursor ?? null) : null;
      return {
        body: { group_id: id, total: members.totalCount, members: members.nodes.map(toMemberEntry), next_cursor: next },
        nextPage: next === null ? undefined : nextPage(request, next),
      };
    },
    fieldNames: { ...GROUP_ID, first: 'limit', after: 'cursor' },
    list: {
      isComplete: isCompleteList,
      next: ({ group: { members } }, variables) =>
        members.pageInfo.hasNextPage ? { ...variables, after: members.pageInfo.endCursor } : null,
      head: ({ group: { id, members } }) => ({ group_id: id, total: members.totalCount }),
      member: 'members',
      items: ({ group: { members } }) => members.nodes.map(toMemberEntry),
      tail: { next_cursor: null },
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/groups/:group_id/compatibility_score',
    operationId: 'getCompatibilityScore',
    summary: 'Get the compatibility score',
    description: `Returns the score that an API client has stored with the group. ${READABLE_BY}`,
    responseSchema: COMPATIBILITY_SCORE,
    reasons: READ_REASONS,
    needsToken: true,
    isRevalidated: true,
    operation: CompatibilityScoreDocument,
    variables: groupVariables,
    toResponse: ({ group: { id, compatibilityScore: score } }) => ({
      body: {
        group_id: id,
        compatibility_score: score?.value ?? null,
        source: score?.source ?? null,
        scored_at: score?.scoredAt ?? null,
        stale: score?.stale ?? null,
      },
    }),
    fieldNames: GROUP_ID,
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/groups/:group_id/users/:user_id/status',
    operationId: 'updateMemberStatus',
    summary: 'Record a response',
    description:
      'Records the response of one member, and recalculates the state of the group. ' +
      'Members respond for themselves. Administrators, and API keys with the scope `responses:write`, respond for ' +
      'any member. A repeated response changes nothing and is no error. With `If-Match` the member changes only at ' +
      'that revision.',
    needsToken: true,
    body: 'json-or-merge-patch',
    requestSchema: STATUS_CHANGE,
    responseSchema: RECORDED_STATUS,
    headers: { 'If-Match': IF_MATCH },
    reasons: [
      'NOT_YOUR_MEMBERSHIP',
      'SCOPE_REQUIRED',
      'GROUP_NOT_FOUND',
      'MEMBER_NOT_FOUND',
      'RESPONSES_CLOSED',
      'REVISION_CHANGED',
    ],
    operation: UpdateMemberStatusDocument,
    variables: ({ params, body }) => ({
      input: {
        groupId: params.group_id ?? '',
        userId: params.user_id ?? '',
        status: parseEnumValue('status', toGraphqlNames(body, { status: 'status' }).status, STATUSES),
      },
    }),
    conditions: ({ ifMatch }, { input }) =>
      (parseIfMatch(ifMatch) ?? [null]).map((expectedRevision) => ({ input: { ...input, expectedRevision } })),
    toResponse: ({ updateMemberStatus: { changed, member, group } }, { params }) => ({
      body: {
        group_id: group.id,
        user_id: params.user_id?.toLowerCase() ?? '',
        status: toRestEnumValue(member.status),
        responded_at: member.respondedAt ?? null,
        group_state: toRestEnumValue(group.state),
        accepted_count: group.acceptedCount,
        changed,
      },
      headers: { etag: revisionTag(member.revision) },
    }),
  }),
];

type Member = MembersQuery['group']['members']['nodes'][number];

function toMemberEntry({ user, role, status, invitedAt, respondedAt, revision }: Member): z.output<typeof MEMBER> {
  return {
    user_id: user.id,
    username: user.username,
    display_name: user.displayName ?? null,
    role: toRestEnumValue(role),
    status: toRestEnumValue(status),
    invited_at: invitedAt,
    responded_at: respondedAt ?? null,
    revision,
  };
}

function groupVariables({ params }: RestRequest): { groupId: string } {
  return { groupId: params.group_id ?? '' };
}

function nextPage({ path, query }: RestRequest, cursor: string): string {
  return `${path}?${new URLSearchParams({ limit: String(DEFAULT_LIMIT), ...query, cursor }).toString()}`;
}

function isCompleteList({ query }: RestRequest): boolean {
  return query.limit === undefined && query.cursor === undefined;
}

/** @throws InvalidInputError when it is no whole number. GraphQL checks the range. */
function limitOf({ query }: RestRequest): number {
  if (query.limit === undefined) return DEFAULT_LIMIT;
  if (!/^\d{1,9}$/.test(query.limit))
    throw new InvalidInputError([{ field: 'limit', message: 'must be a whole number from 1 to 1000' }]);
  return Number(query.limit);
}
