/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** An invitation to claim, by its secret or from one's inbox, with an answer. */
export type ClaimInvitationInput = {
  /** An invitation to one's own verified address; null to name it by its secret. */
  readonly invitationId?: string | null | undefined;
  /** What follows `#secret=` in the mailed link; null to name the invitation by its id. */
  readonly secret?: string | null | undefined;
  /** The answer; PENDING takes the place and leaves the answer for later. */
  readonly status?: ResponseStatus;
};

/** What a person logs in with. */
export type IssueTokenInput = {
  /** The password. */
  readonly password: string;
  /** The username in any case, or the verified email address. */
  readonly username: string;
};

/** What it takes to create an account. */
export type RegisterInput = {
  /** The name to be shown by, 1 to 80 characters and at most 400 code points; null for none. */
  readonly displayName?: string | null | undefined;
  /** At most 254 characters; a verification link is mailed to it. */
  readonly email?: string | null | undefined;
  /** The secret of an invitation to claim with the new account: what follows `#secret=` in its link; null for none. */
  readonly invitation?: string | null | undefined;
  /** 8 to 128 characters; refused when it is common, or equals the username or the email address. */
  readonly password: string;
  /** 3 to 32 letters, digits, dots, underscores and hyphens, beginning and ending with a letter or digit; unique whatever its case. */
  readonly username: string;
};

/** Where the link is to be sent. */
export type RequestPasswordResetInput = {
  /** The verified email address of the account. */
  readonly email: string;
};

/** A new password, and what proves that it may be set. */
export type ResetPasswordInput = {
  /** 8 to 128 characters; refused when it is common, or equals the username or the email address. */
  readonly newPassword: string;
  /** The secret from the mailed link: what follows `#secret=`. */
  readonly secret: string;
};

/** What a member has answered. */
export type ResponseStatus =
  /** They will take part. */
  | 'ACCEPTED'
  /** They will not take part. */
  | 'DECLINED'
  /** No answer yet. */
  | 'PENDING'
  /** They may take part; counts as open. */
  | 'TENTATIVE';

/** Which session to end. */
export type RevokeTokenInput = {
  /** Whether to end every session of the same person. */
  readonly everywhere?: boolean;
  /** A refresh token of the session, however old, or an access token of it. Null for the session that asks, which takes its access token. */
  readonly refreshToken?: string | null | undefined;
};

/** What proves an email address. */
export type VerifyEmailInput = {
  /** The secret from the mailed link: what follows `#secret=`. */
  readonly secret: string;
};

export type InvitationQueryVariables = Exact<{
  secret: string;
}>;


export type InvitationQuery = { readonly invitation: { readonly groupName: string, readonly invitedBy: string | null, readonly expiresAt: string } };

export type LogInMutationVariables = Exact<{
  input: IssueTokenInput;
}>;


export type LogInMutation = { readonly issueToken: { readonly accessToken: string } };

export type ClaimInvitationMutationVariables = Exact<{
  input: ClaimInvitationInput;
}>;


export type ClaimInvitationMutation = { readonly claimInvitation: { readonly member: { readonly status: ResponseStatus } } };

export type LogOutMutationVariables = Exact<{
  input: RevokeTokenInput;
}>;


export type LogOutMutation = { readonly revokeToken: { readonly revokedSessions: number } };

export type RegisterMutationVariables = Exact<{
  input: RegisterInput;
}>;


export type RegisterMutation = { readonly register: { readonly user: { readonly id: string } } };

export type ResetPasswordMutationVariables = Exact<{
  input: ResetPasswordInput;
}>;


export type ResetPasswordMutation = { readonly resetPassword: { readonly revokedSessions: number } };

export type RequestPasswordResetMutationVariables = Exact<{
  input: RequestPasswordResetInput;
}>;


export type RequestPasswordResetMutation = { readonly requestPasswordReset: { readonly accepted: boolean } };

export type VerifyEmailMutationVariables = Exact<{
  input: VerifyEmailInput;
}>;


export type VerifyEmailMutation = { readonly verifyEmail: { readonly user: { readonly id: string } } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const InvitationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Invitation($secret: String!) {
  invitation(secret: $secret) {
    groupName
    invitedBy
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<InvitationQuery, InvitationQueryVariables>;
export const LogInDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation LogIn($input: IssueTokenInput!) {
  issueToken(input: $input) {
    accessToken
  }
}
    `) as unknown as TypedDocumentString<LogInMutation, LogInMutationVariables>;
export const ClaimInvitationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ClaimInvitation($input: ClaimInvitationInput!) {
  claimInvitation(input: $input) {
    member {
      status
    }
  }
}
    `) as unknown as TypedDocumentString<ClaimInvitationMutation, ClaimInvitationMutationVariables>;
export const LogOutDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation LogOut($input: RevokeTokenInput!) {
  revokeToken(input: $input) {
    revokedSessions
  }
}
    `) as unknown as TypedDocumentString<LogOutMutation, LogOutMutationVariables>;
export const RegisterDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation Register($input: RegisterInput!) {
  register(input: $input) {
    user {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RegisterMutation, RegisterMutationVariables>;
export const ResetPasswordDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input) {
    revokedSessions
  }
}
    `) as unknown as TypedDocumentString<ResetPasswordMutation, ResetPasswordMutationVariables>;
export const RequestPasswordResetDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RequestPasswordReset($input: RequestPasswordResetInput!) {
  requestPasswordReset(input: $input) {
    accepted
  }
}
    `) as unknown as TypedDocumentString<RequestPasswordResetMutation, RequestPasswordResetMutationVariables>;
export const VerifyEmailDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation VerifyEmail($input: VerifyEmailInput!) {
  verifyEmail(input: $input) {
    user {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<VerifyEmailMutation, VerifyEmailMutationVariables>;