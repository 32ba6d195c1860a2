import { createGroupViaApi, registerUser, type TestUser } from '../../support/service/test-users.js';
import type { Service } from '../suite.js';

/** Two users, and a group of the first with the second as its member. */
export interface RestFixture {
  readonly owner: TestUser;
  readonly guest: TestUser;
  readonly groupId: string;
}

export async function createRestFixture(service: Pick<Service, 'url'>): Promise<RestFixture> {
  const [owner, guest] = [await registerUser(service), await registerUser(service)];
  return { owner, guest, groupId: await createGroupViaApi(owner, [guest]) };
}
