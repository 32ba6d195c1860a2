export const DOCUMENTS: Readonly<Record<string, string>> = {
  "sha256:d8d61789bd81a24cedc9f90b178916595a7fc911bd8691ab1f585f44caef622e": "mutation Register($input:RegisterInput!){register(input:$input){user{id username email emailVerified displayName createdAt}followUps{name status}}}",
  "sha256:23fd397d47106c696be2e38fb623f07a6bf1c4f03dbe0db0fa241b784c48e9a8": "mutation IssueToken($input:IssueTokenInput!){issueToken(input:$input){accessToken tokenType expiresIn refreshToken user{id}}}",
  "sha256:badad8af05a39076fe4a861d725b8345d7c6b3dcbfc06aefa2c27ac6bb46c2bc": "mutation RefreshToken($input:RefreshTokenInput!){refreshToken(input:$input){accessToken tokenType expiresIn refreshToken user{id}}}",
  "sha256:180e8ad371010bc9af1348bbddc0bcee341ad3942980c37b5bf0c62101c1921c": "mutation RevokeToken($input:RevokeTokenInput!){revokeToken(input:$input){revokedSessions}}",
  "sha256:920580c5f237af40c71910fe7b46e95e94d8a4a8e9604f56eebc506f90251029": "query Me{me{id username email emailVerified displayName createdAt roles}}",
  "sha256:cc31b99bd21e4e319bc2db3866b47152455aa9610936a1d632b620e194fff598": "query AcceptedCount($groupId:UUID!){group(id:$groupId){id acceptedCount}}",
  "sha256:65d017da88e2df1a8136c9850932d1391ccfcb85aa98caecf1a569f18c5a6bc5": "query Members($groupId:UUID!$status:ResponseStatus$first:Int!$after:String){group(id:$groupId){id members(status:$status first:$first after:$after){totalCount nodes{user{id username displayName}role status invitedAt respondedAt revision}pageInfo{hasNextPage endCursor}}}}",
  "sha256:79bde12cb32639787f7dbc888d678b86c12d718941a540eacd42892a63a7c00c": "query CompatibilityScore($groupId:UUID!){group(id:$groupId){id compatibilityScore{value source scoredAt stale}}}",
  "sha256:b6ca45c68e396bda0c82d9bd4f220e4032148c3c9543afc2ae65c63449e39686": "mutation UpdateMemberStatus($input:UpdateMemberStatusInput!){updateMemberStatus(input:$input){changed member{status respondedAt revision}group{id state acceptedCount}}}"
};