/** Texts of the operating system (ENOSPC, EDQUOT), as PostgreSQL prints them in the locale C. */
const DISK_FULL = /No space left on device|Disk quota exceeded/;

/** @param output what a program of PostgreSQL printed */
export function isDiskFull(output: string): boolean {
  return DISK_FULL.test(output);
}

export function describeFullDisk(folder: string): string {
  return `The disk of the database in ${folder} is full: free some space, or name another data folder with DATA_DIR.`;
}
