import { OperationError } from '../api/operation-error.js';
import { sendOperation } from '../api/send-operation.js';
import type { TypedDocumentString } from '../generated/operations.js';
import type { Session } from './session.js';

/** Runs operations of the API as the user who is logged in. */
export class Client {
  readonly endpoint: string;
  readonly session: Session;

  constructor(endpoint: string, session: Session) {
    this.endpoint = endpoint;
    this.session = session;
  }

  /**
   * Runs one operation. Repeats it once with a new access token when the service rejects the token.
   *
   * @throws OperationError when the service rejects the operation
   * @throws LoggedOutError when the session has ended
   * @throws TypeError when the service cannot be reached
   */
  async run<TResult, TVariables>(
    document: TypedDocumentString<TResult, TVariables>,
    variables: TVariables,
  ): Promise<TResult> {
    const token = await this.session.accessToken();
    try {
      return await sendOperation(this.endpoint, document, { variables, token });
    } catch (error) {
      if (!(error instanceof OperationError) || !error.isTokenRejected) throw error;
      this.session.dropAccessToken(token);
      return sendOperation(this.endpoint, document, { variables, token: await this.session.accessToken() });
    }
  }
}
