/** A well-formed id of no object. */
export const UNKNOWN_ID = '0190c2a0-0000-7000-8000-000000000000';
