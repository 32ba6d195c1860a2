import { fileURLToPath } from 'node:url';

/** Folder of the project. */
export const ROOT = new URL('../../../', import.meta.url);

export const serverFile = (name: string): string => fileURLToPath(new URL(`../servers/${name}.mjs`, import.meta.url));
