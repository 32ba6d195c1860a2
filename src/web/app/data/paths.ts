export type Paths = ReturnType<typeof paths>;

/** The paths of the pages, and of the pages of the service that the client leads to. */
export function paths(basePath: string) {
  const root = `${basePath}/app`;
  return {
    root,
    register: `${root}/register`,
    newGroup: `${root}/new-group`,
    account: `${root}/account`,
    group: (id: string) => `${root}/groups/${id}`,
    resetPassword: `${basePath}/reset-password`,
  };
}
