/** Returns the value of the named field, exactly as typed; empty when the form has no such value. */
export function readTextField(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}
