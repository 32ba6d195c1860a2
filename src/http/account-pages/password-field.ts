import escapeHtml from 'escape-html';

interface PasswordFieldOptions {
  readonly id: string;
  readonly name: string;
  readonly label: string;
}

/** HTML of the field of a current password, with a button that shows it. */
export function passwordField(options: PasswordFieldOptions): string {
  return labelled(options, '', 'autocomplete="current-password"');
}

/** HTML of the field of a new password, with the rules for it and a button that shows it. */
export function newPasswordField(options: PasswordFieldOptions, minLength: number): string {
  const id = `${escapeHtml(options.id)}-hint`;
  const rules = `At least ${minLength} characters. Not a common password, nor your username or email.`;
  const hint = `<p class="hint" id="${id}">${rules}</p>\n`;
  return labelled(options, hint, `autocomplete="new-password" aria-describedby="${id}"`);
}

/** Without `maxlength`, because a browser would truncate a longer password silently. */
function labelled({ id, name, label }: PasswordFieldOptions, hint: string, attributes: string): string {
  return `<label for="${id}">${escapeHtml(label)}</label>
${hint}<div class="control">
<input id="${id}" name="${name}" type="password" ${attributes} required>
<button type="button" class="plain" data-shows="${id}" aria-pressed="false">Show</button>
</div>
`;
}
