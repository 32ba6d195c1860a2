import { z } from 'zod';
import type { DemoRunner } from '../runner/demo-runner.js';
import type { SignedInUser } from './demo-users.js';

/** Ada creates a group with quorum 2 and invites Grace. @returns the id of the group */
export async function inviteScenario(
  runner: DemoRunner,
  { ada, grace }: { ada: SignedInUser; grace: SignedInUser },
): Promise<string> {
  const {
    createGroup: { group },
  } = await runner.graphql({
    description: 'Ada creates a group with a quorum of two; she is its first member',
    operation:
      'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id name state quorum ' +
      'acceptedCount } } }',
    variables: { input: { name: 'Sunday hike', quorum: 2 } },
    token: ada.token,
    expected: z.object({
      createGroup: z.object({
        group: z.object({
          id: z.uuid(),
          state: z.literal('FORMING'),
          quorum: z.literal(2),
          acceptedCount: z.literal(1),
        }),
      }),
    }),
  });
  await runner.graphql({
    description: 'Ada invites Grace by her username',
    operation: `mutation ($input: InviteToGroupInput!) {
      inviteToGroup(input: $input) { results { outcome member { user { id username } status } } group { memberCount } }
    }`,
    variables: { input: { groupId: group.id, invitees: [{ username: grace.user.username }] } },
    token: ada.token,
    expected: z.object({
      inviteToGroup: z.object({
        results: z.tuple([
          z.object({
            outcome: z.literal('INVITED'),
            member: z.object({ user: z.object({ id: z.literal(grace.userId) }), status: z.literal('PENDING') }),
          }),
        ]),
        group: z.object({ memberCount: z.literal(2) }),
      }),
    }),
  });
  return group.id;
}
