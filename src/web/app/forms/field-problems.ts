import { createContext } from 'preact';

/** What is wrong with the fields of the surrounding form, by their names. */
export const FieldProblems = createContext<Readonly<Record<string, string>>>({});
