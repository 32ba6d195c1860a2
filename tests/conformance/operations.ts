/** The operations that each GraphQL client sends. */
export const ME = 'query Me { me { id username } }';

export const MEMBERS = `query Members($id: UUID!, $first: Int!, $after: String) {
  group(id: $id) {
    id
    state
    members(first: $first, after: $after) {
      totalCount
      edges { cursor node { id status user { id username } } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

export const RESPOND = `mutation Respond($groupId: UUID!, $userId: UUID!, $status: ResponseStatus!) {
  updateMemberStatus(input: { groupId: $groupId, userId: $userId, status: $status }) {
    changed
    member { id status }
    group { id state }
  }
}`;

export const CHANGES = `subscription Changes($id: UUID!, $after: Int) {
  groupChanged(groupId: $id, afterRevision: $after) { revision cause after }
}`;

export interface MembersData {
  readonly group: {
    readonly id: string;
    readonly state: string;
    readonly members: {
      readonly totalCount: number;
      readonly edges: readonly { readonly cursor: string; readonly node: MemberData }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

interface MemberData {
  readonly id: string;
  readonly status: string;
  readonly user: { readonly id: string; readonly username: string };
}

export interface RespondData {
  readonly updateMemberStatus: {
    readonly changed: boolean;
    readonly member: { readonly id: string; readonly status: string };
    readonly group: { readonly id: string; readonly state: string };
  };
}

export interface ChangesData {
  readonly groupChanged: { readonly revision: number; readonly cause: string; readonly after: string };
}
