import { sendOperation } from '../api/send-operation.js';
import { OwnIdsDocument, type OwnIdsQuery } from '../generated/operations.js';
import type { Session } from '../session/session.js';

export type OwnIds = OwnIdsQuery['me'];

/** Reads the name and the id of the user, and the id of the newest group of the user. Null when it cannot be read. */
export async function readOwnIds(endpoint: string, session: Session): Promise<OwnIds | null> {
  if (session.userId === null) return null;
  try {
    const token = await session.accessToken();
    return (await sendOperation(endpoint, OwnIdsDocument, { variables: {}, token })).me;
  } catch {
    return null;
  }
}
