import { InvalidInputError } from '../../errors/index.js';
import { parseIfMatch, revisionTag } from '../conditional-requests/preconditions.js';
import {
  AcceptedCountDocument,
  CompatibilityScoreDocument,
  MembersDocument,
  UpdateMemberStatusDocument,
  type MembersQuery,
} from '../generated/operations.js';
import { parseEnumValue, toGraphqlNames } from './case-mapping.js';
import { defineRoute, type RestRequest, type RestRoute } from './route.js';

const STATUSES = ['PENDING', 'ACCEPTED', 'TENTATIVE', 'DECLINED'] as const;
const GROUP_ID = { id: 'group_id', groupId: 'group_id' };
/** Page size of the complete list: the maximum of GraphQL. */
const LIST_PAGE_SIZE = 1_000;
const DEFAULT_LIMIT = 100;

/** Counts, members, responses and scores of a group. */
export const GROUP_ROUTES: readonly RestRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/groups/:group_id/accepted-count',
    summary: 'Says how many members have accepted.',
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
    summary: 'Lists the members, whole or in pages.',
    needsToken: true,
    query: ['status', 'limit', 'cursor'],
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
    summary: 'Gives the stored compatibility score.',
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
    summary: "Records one member's answer and recalculates the state of the group.",
    needsToken: true,
    body: 'json-or-merge-patch',
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
        user_id: params.user_id?.toLowerCase(),
        status: member.status.toLowerCase(),
        responded_at: member.respondedAt ?? null,
        group_state: group.state.toLowerCase(),
        accepted_count: group.acceptedCount,
        changed,
      },
      headers: { etag: revisionTag(member.revision) },
    }),
  }),
];

type Member = MembersQuery['group']['members']['nodes'][number];

function toMemberEntry({ user, role, status, invitedAt, respondedAt, revision }: Member): Record<string, unknown> {
  return {
    user_id: user.id,
    username: user.username,
    display_name: user.displayName ?? null,
    role: role.toLowerCase(),
    status: status.toLowerCase(),
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
