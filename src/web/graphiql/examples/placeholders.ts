/** Values of example variables that a visitor replaces. GraphiQL fills in the first two for a logged-in user. */
export const GROUP_ID = 'paste the id of a group';
export const OWN_ID = 'paste your user id';
export const USER_ID = 'paste the id of another user';
export const LINK_SECRET = 'paste the text after #secret= in the mailed link';
